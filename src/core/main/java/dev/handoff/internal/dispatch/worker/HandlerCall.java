package dev.handoff.internal.dispatch.worker;

import dev.handoff.JobError;
import dev.handoff.Json;
import dev.handoff.internal.job.AttemptReport;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Handler calls. A throwable from a handler fails only its own attempt.
final class HandlerCall {

  private static final int MAX_RESULT = 256 * 1024;
  private static final AttemptReport UNREADABLE =
      new AttemptReport.Threw(
          JobError.of("unreadable", "the handler failed with something that cannot be read"));

  /// Report for a thread that terminated silently, most likely for want of memory.
  static final AttemptReport NO_THREAD =
      new AttemptReport.Threw(
          JobError.of("no-thread", "its thread has ended without saying how its handler did"));

  private HandlerCall() {}

  /// Creates the call of an attempt's handler. Its thread sends [Worker.HandlerBegan] at the start
  /// and [Worker.HandlerEnded] at the end.
  static OneTimeCall call(
      int run,
      HandlerAttempt attempt,
      Worker.Environment environment,
      ActorRef<Worker.Command> worker) {
    var code = environment.code().get(attempt.spec().type());
    var began = new Worker.HandlerBegan(run);
    return new OneTimeCall(
        () -> {
          attempt.heartbeat();
          worker.tell(began);
          tellTheEnd(run, code, attempt, worker);
        });
  }

  /// Starts the call on a new thread.
  ///
  /// @throws OutOfMemoryError if no more threads can be created
  static Thread start(OneTimeCall call, HandlerAttempt attempt, Worker.Environment environment) {
    var code = environment.code().get(attempt.spec().type());
    var name = "handoff-" + attempt.job() + "-" + attempt.number();
    return environment.machine().start(code != null && code.blocking(), name, call);
  }

  /// A full heap may lack memory for the end message, so one message is allocated before the call.
  /// If even that cannot be sent, the worker detects the terminated thread.
  private static void tellTheEnd(
      int run,
      @Nullable AttemptCode code,
      HandlerAttempt attempt,
      ActorRef<Worker.Command> worker) {
    var madeBefore = new Worker.HandlerEnded(run, NO_THREAD);
    try {
      worker.tell(new Worker.HandlerEnded(run, call(code, attempt)));
    } catch (Throwable noMemory) {
      worker.tell(madeBefore);
    }
  }

  private static AttemptReport call(@Nullable AttemptCode code, HandlerAttempt attempt) {
    try {
      AttemptDiagnostics.put(attempt);
      return code == null
          ? threw("no-handler", "no handler for type \"" + attempt.spec().type() + "\"")
          : returned(code.body().run(attempt), attempt);
    } catch (Throwable anything) {
      return failure(anything, code == null ? null : whyNot(code, anything, attempt));
    } finally {
      attempt.end();
    }
  }

  private static AttemptReport returned(Json result, HandlerAttempt attempt) {
    var later = attempt.later();
    if (later.isPresent()) {
      return new AttemptReport.Later(later.get());
    }
    return result.size() > MAX_RESULT
        ? new AttemptReport.Threw(
            JobError.of(
                "result-too-large",
                "its result has %d bytes, at most %d are kept"
                    .formatted(result.size(), MAX_RESULT)),
            true,
            "its result is too large")
        : new AttemptReport.Returned(result, attempt.contribution());
  }

  private static @Nullable String whyNot(
      AttemptCode code, Throwable failure, HandlerAttempt attempt) {
    try {
      return code.retries().whyNot(failure, attempt.spec());
    } catch (Throwable broken) {
      return null;
    }
  }

  /// Report of an attempt that failed with a throwable.
  static AttemptReport failure(Throwable failure) {
    return failure(failure, null);
  }

  private static AttemptReport failure(Throwable failure, @Nullable String whyForGood) {
    try {
      return new AttemptReport.Threw(JobError.of(failure), whyForGood != null, whyForGood);
    } catch (Throwable alsoBroken) {
      return UNREADABLE;
    }
  }

  private static AttemptReport threw(String type, String message) {
    return new AttemptReport.Threw(JobError.of(type, message));
  }
}
