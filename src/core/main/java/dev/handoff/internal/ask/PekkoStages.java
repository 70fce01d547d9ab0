package dev.handoff.internal.ask;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.typed.ActorSystem;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;
import scala.util.Failure;
import scala.util.Success;
import scala.util.Try;

/// Adapter for stages from Pekko, such as the result of a stream and the termination of a system.
/// Scala runs their callbacks in `ForkJoinPool.commonPool()`; the adapted stages do not.
public final class PekkoStages {

  private static final ExecutionContext HERE =
      ExecutionContext.fromExecutor((Executor) Runnable::run);

  private PekkoStages() {}

  public static <T> CompletionStage<T> ours(CompletionStage<T> theirs) {
    Future<T> future = FutureConverters.asScala(theirs);
    var stage = new EngineStage<T>();
    future.onComplete(result -> take(stage, result), HERE);
    return stage;
  }

  /// Completes when the system has terminated.
  public static CompletionStage<Void> endOf(ActorSystem<?> system) {
    return ours(system.getWhenTerminated()).thenAccept(done -> {});
  }

  private static <T> boolean take(EngineStage<T> stage, Try<T> result) {
    return switch (result) {
      case Success<T> done -> stage.complete(done.value());
      case Failure<T> failed -> stage.completeExceptionally(failed.exception());
      default -> throw new IllegalStateException(String.valueOf(result));
    };
  }
}
