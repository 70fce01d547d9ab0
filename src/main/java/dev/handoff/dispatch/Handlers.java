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

  private Handlers() {}

  /// Calls the handler of an attempt on a thread of its own, whose end the worker is told with
  /// [Worker.HandlerEnded].
  ///
  /// @throws OutOfMemoryError if there can be no more threads
  static Thread start(
      int run, Attempt attempt, Worker.Environment environment, ActorRef<Worker.Command> worker) {
    var code = environment.code().get(attempt.spec().type());
    var name = "handoff-" + attempt.job() + "-" + attempt.number();
    Runnable call = () -> worker.tell(new Worker.HandlerEnded(run, call(code, attempt)));
    return environment.machine().start(code != null && code.blocking(), name, call);
  }

  private static AttemptReport call(@Nullable AttemptCode code, Attempt attempt) {
    try {
      return code == null
          ? threw("no-handler", "no handler for type \"" + attempt.spec().type() + "\"")
          : returned(code.body().run(attempt), attempt);
    } catch (Throwable anything) {
      return failure(anything);
    } finally {
      attempt.end();
    }
  }

  private static AttemptReport returned(Json result, Attempt attempt) {
    return result.size() > MAX_RESULT
        ? threw(
            "result-too-large",
            "its result has %d bytes, at most %d are kept".formatted(result.size(), MAX_RESULT))
        : new AttemptReport.Returned(result, attempt.contribution());
  }

  /// What an attempt reports that ended in this way.
  static AttemptReport failure(Throwable failure) {
    try {
      return new AttemptReport.Threw(JobError.of(failure));
    } catch (Throwable alsoBroken) {
      return UNREADABLE;
    }
  }

  private static AttemptReport threw(String type, String message) {
    return new AttemptReport.Threw(JobError.of(type, message));
  }
}
