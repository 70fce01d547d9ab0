package dev.handoff.internal.engine;

import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.plan.Blobs;
import dev.handoff.internal.plan.PlanEnvironment;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.typed.ActorRef;

/// Stores changeset bodies. Encoding and packing run on separate threads, because bodies may be
/// large.
record ChangesetBodies(ActorRef<Blobs.Command> blobs, ActorQuestions questions, Executor threads)
    implements PlanEnvironment.Keeper {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public CompletionStage<String> keep(PlanId owner, SetBody body) {
    return CompletableFuture.supplyAsync(() -> PackedBlob.of(BodyCodec.encode(body)), threads)
        .thenCompose(blob -> keep(owner, blob));
  }

  private CompletionStage<String> keep(PlanId owner, PackedBlob blob) {
    return questions
        .<Blobs.Command, Blobs.Answer>ask(
            blobs,
            replyTo -> new Blobs.Keep(owner.value(), List.of(blob), Set.of(), replyTo),
            PATIENCE,
            IllegalStateException::new)
        .thenApply(answer -> kept(answer, blob));
  }

  private static String kept(Blobs.Answer answer, PackedBlob blob) {
    return switch (answer) {
      case Blobs.Kept kept -> blob.sha256();
      case Blobs.Unavailable(var reason, var retryAfter) -> throw new IllegalStateException(reason);
      case Blobs.Unknown(var missing) ->
          throw new IllegalStateException("the store does not know " + missing);
    };
  }
}
