package dev.handoff;

/// The cancel of a plan: who asked for it.
public record PlanCancelInfo(String reason, String by) {}
