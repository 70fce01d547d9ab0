package dev.handoff.dispatch;

import dev.handoff.job.AttemptReport;
import dev.handoff.job.JobError;
import dev.handoff.job.Json;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// The call of a handler: whatever it throws becomes the attempt's failure and nobody else's.
final class Handlers {

  private static final int MAX_RESULT = 256 * 1024;
  private static final AttemptReport UNREADABLE =
      new AttemptReport.Threw(
          JobError.of("unreadable", "the handler failed with something that cannot be read"));

  /// The thread of an attempt has ended without a word: for want of memory, most likely.
  static final AttemptReport NO_THREAD =
      new AttemptReport.Threw(
          JobError.of("no-thread", "its thread has ended without saying how its handler did"));

  private Handlers() {}

  /// The call of an attempt's handler. The thread that makes it says so with [Worker.HandlerBegan],
  /// and how it has ended with [Worker.HandlerEnded].
  static HandlerCall call(
      int run, Attempt attempt, Worker.Environment environment, ActorRef<Worker.Command> worker) {
    var code = environment.code().get(attempt.spec().type());
    var began = new Worker.HandlerBegan(run);
    return new HandlerCall(
        () -> {
          attempt.heartbeat();
          worker.tell(began);
          tellTheEnd(run, code, attempt, worker);
        });
  }

  /// Has the call made on a thread of its own.
  ///
  /// @throws OutOfMemoryError if there can be no more threads
  static Thread start(HandlerCall call, Attempt attempt, Worker.Environment environment) {
    var code = environment.code().get(attempt.spec().type());
    var name = "handoff-" + attempt.job() + "-" + attempt.number();
    return environment.machine().start(code != null && code.blocking(), name, call);
  }

  /// In a full heap there may be no memory for the end of the handler that has filled it: so there
  /// is an end that was made before. If not even that can be told, the worker finds the thread
  /// gone.
  private static void tellTheEnd(
      int run, @Nullable AttemptCode code, Attempt attempt, ActorRef<Worker.Command> worker) {
    var madeBefore = new Worker.HandlerEnded(run, NO_THREAD);
    try {
      worker.tell(new Worker.HandlerEnded(run, call(code, attempt)));
    } catch (Throwable noMemory) {
      worker.tell(madeBefore);
    }
  }

  private static AttemptReport call(@Nullable AttemptCode code, Attempt attempt) {
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

  private static AttemptReport returned(Json result, Attempt attempt) {
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

  private static @Nullable String whyNot(AttemptCode code, Throwable failure, Attempt attempt) {
    try {
      return code.retries().whyNot(failure, attempt.spec());
    } catch (Throwable broken) {
      return null;
    }
  }

  /// What an attempt reports that ended in this way.
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
