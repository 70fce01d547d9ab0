package dev.handoff.engine;

import dev.handoff.ask.Questions;
import dev.handoff.plan.Blobs;
import dev.handoff.plan.PlanEnvironment;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.change.BodyCodec;
import dev.handoff.plan.change.SetBody;
import dev.handoff.store.Blob;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.typed.ActorRef;

/// Stores what changesets hold: encoded and packed on threads of their own, for they may be large.
record Bodies(ActorRef<Blobs.Command> blobs, Questions questions, Executor threads)
    implements PlanEnvironment.Keeper {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public CompletionStage<String> keep(PlanId owner, SetBody body) {
    return CompletableFuture.supplyAsync(() -> Blob.of(BodyCodec.encode(body)), threads)
        .thenCompose(blob -> keep(owner, blob));
  }

  private CompletionStage<String> keep(PlanId owner, Blob blob) {
    return questions
        .<Blobs.Command, Blobs.Answer>ask(
            blobs,
            replyTo -> new Blobs.Keep(owner.value(), List.of(blob), Set.of(), replyTo),
            PATIENCE,
            IllegalStateException::new)
        .thenApply(answer -> kept(answer, blob));
  }

  private static String kept(Blobs.Answer answer, Blob blob) {
    return switch (answer) {
      case Blobs.Kept kept -> blob.sha256();
      case Blobs.Unavailable(var reason, var retryAfter) -> throw new IllegalStateException(reason);
      case Blobs.Unknown(var missing) ->
          throw new IllegalStateException("the store does not know " + missing);
    };
  }
}
