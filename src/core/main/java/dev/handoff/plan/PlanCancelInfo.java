package dev.handoff.plan;

/// Cancel request of a plan: its reason and its caller.
public record PlanCancelInfo(String reason, String by) {}
