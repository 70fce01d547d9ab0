package dev.handoff.docs;

import dev.handoff.Handoff;
import dev.handoff.JobContext;
import dev.handoff.breaker.BreakerOpenException;
import dev.handoff.breaker.CallTimedOutException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;

/// Examples quoted in `docs/breakers.md`.
public final class BreakerExamples {

  private BreakerExamples() {}

  /// Search service that the breaker guards.
  interface Search {
    CompletionStage<String> find(String words);

    String findNow(String words);
  }

  // #call
  static CompletionStage<String> find(Handoff handoff, Search search, String words) {
    return handoff.breakers().call("search", () -> search.find(words));
  }

  static CompletionStage<String> findBlocking(Handoff handoff, Search search, String words) {
    return handoff.breakers().callBlocking("search", () -> search.findNow(words));
  }

  // #call

  // #handler
  static CompletionStage<String> findInAJob(Handoff handoff, Search search, JobContext job) {
    return handoff
        .breakers()
        .call(
            "search",
            Duration.ofSeconds(3),
            job.cancellation(), // stops the call, too
            token -> {
              token.throwIfCancelled();
              return search.find(job.type());
            });
  }

  // #handler

  // #answers
  public static String describe(CompletionStage<String> call) {
    return call.handle(
            (found, failure) ->
                switch (failure) {
                  case null -> "found " + found;
                  case BreakerOpenException open -> "not called; ask again at " + open.retryAt();
                  case CallTimedOutException late -> "gave up after " + late.after();
                  case Throwable own -> "failed: " + own.getMessage();
                })
        .toCompletableFuture()
        .join();
  }

  // #answers

  // #steer
  static void steer(Handoff handoff) {
    var breakers = handoff.breakers();
    breakers.forceOpen("search").toCompletableFuture().join(); // nothing is let through
    breakers.disable("search").toCompletableFuture().join(); // everything is, and is counted
    breakers.automatic("search").toCompletableFuture().join(); // left to itself again, closed
    breakers.resetAll().toCompletableFuture().join();
    for (var breaker : breakers.list().toCompletableFuture().join()) {
      var counts = breaker.counts();
      System.out.printf(
          "%s is %s: %d calls, %d failed%n",
          breaker.name(), breaker.status().label(), counts.calls(), counts.failures());
    }
  }

  static CompletionStage<Done> watch(Handoff handoff) {
    return handoff
        .breakers()
        .changes()
        .runForeach(
            change ->
                System.out.printf(
                    "%s is %s: %s%n", change.name(), change.to().label(), change.cause()),
            handoff.materializer());
  }

  // #steer

}
