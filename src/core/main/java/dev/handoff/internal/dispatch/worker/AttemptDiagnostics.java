package dev.handoff.internal.dispatch.worker;

import org.slf4j.MDC;

/// Entries of SLF4J's diagnostic context (MDC) on the handler's thread: job, attempt, type, plan.
/// Never cleared: the thread ends with the attempt.
final class AttemptDiagnostics {

  private static final String JOB = "handoff.job";
  private static final String ATTEMPT = "handoff.attempt";
  private static final String TYPE = "handoff.type";
  private static final String PLAN = "handoff.plan";

  private AttemptDiagnostics() {}

  static void put(HandlerAttempt attempt) {
    MDC.put(JOB, attempt.job().value());
    MDC.put(ATTEMPT, Integer.toString(attempt.number()));
    MDC.put(TYPE, attempt.spec().type());
    var plan = attempt.spec().plan();
    if (plan != null) {
      MDC.put(PLAN, plan);
    }
  }
}
