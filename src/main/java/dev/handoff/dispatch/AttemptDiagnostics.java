package dev.handoff.dispatch;

import org.slf4j.MDC;

/// Job, attempt, type and plan in SLF4J's diagnostic context (MDC), for what a handler logs on its
/// own thread. Never cleared: the thread ends with the attempt.
final class AttemptDiagnostics {

  private static final String JOB = "handoff.job";
  private static final String ATTEMPT = "handoff.attempt";
  private static final String TYPE = "handoff.type";
  private static final String PLAN = "handoff.plan";

  private AttemptDiagnostics() {}

  static void put(Attempt attempt) {
    MDC.put(JOB, attempt.job().value());
    MDC.put(ATTEMPT, Integer.toString(attempt.number()));
    MDC.put(TYPE, attempt.spec().type());
    var plan = attempt.spec().plan();
    if (plan != null) {
      MDC.put(PLAN, plan);
    }
  }
}
