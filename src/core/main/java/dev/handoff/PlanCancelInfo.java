package dev.handoff;

/// Cancel request of a plan: its reason and its caller.
public record PlanCancelInfo(String reason, String by) {}
