package dev.handoff.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.Json;
import dev.handoff.store.Replay;
import dev.handoff.store.Store;
import dev.handoff.store.StoreException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// On a store that only knows pages.
@DisplayName("A reader of a ledger")
class LedgerReaderTest {

  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final JobId ONE = new JobId("01M7QA29F8201SE11P2AY4J500");
  private static final JobId TWO = new JobId("01M7QA29F8201SE11P2AY4J600");

  private final FactCodec codec = new FactCodec(List.of(JobFact.class, JobState.class));
  private final Deque<CompletionStage<Replay.Page>> pages = new ArrayDeque<>();

  @Test
  void readsACheckpointAndTheLogAfterItPageByPage() {
    var waiting = JobState.create(ONE, submitted(ONE));
    page(false, new Replay.States(rows(ONE, codec.encodeState(waiting)), "checkpoint 1"));
    page(
        false,
        new Replay.Facts(1, rows(TWO, codec.encode(TWO, submitted(TWO)).encoded()), "row 1"));
    page(true);

    assertThat(read()).containsExactlyInAnyOrder(waiting, JobState.create(TWO, submitted(TWO)));
    assertThat(pages).isEmpty();
  }

  @Test
  void namesThePlaceThatItCannotRead() {
    page(true, new Replay.Facts(7, new byte[] {1, 2, 3}, "row 7 of partition 0"));

    assertThatExceptionOfType(StoreException.Unreadable.class)
        .isThrownBy(this::read)
        .withMessageStartingWith("row 7 of partition 0: ");
  }

  @Test
  void passesOnWhatTheStoreSays() {
    pages.add(
        CompletableFuture.failedStage(new StoreException.Unavailable("away", new Exception())));
    assertThatExceptionOfType(StoreException.Unavailable.class).isThrownBy(this::read);

    pages.add(CompletableFuture.failedStage(new IllegalStateException("odd")));
    assertThatThrownBy(this::read).hasRootCauseMessage("odd");
  }

  private List<EntityState> read() {
    var store =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, args) -> pages.remove());
    Fold fold =
        (live, entity, event) ->
            live.put(JobState.create(new JobId(entity), (JobFact.Submitted) event));
    return List.copyOf(new LedgerReader(store, codec, fold).read(0));
  }

  private void page(boolean last, Replay.Piece... pieces) {
    pages.add(
        CompletableFuture.completedStage(
            new Replay.Page(List.of(pieces), Replay.Position.START, last)));
  }

  private static JobFact.Submitted submitted(JobId id) {
    return new JobFact.Submitted(JobSpec.of("x", Json.of("\"" + id + "\"")), NOW, false);
  }

  private static byte[] rows(JobId id, byte[] bytes) {
    return Rows.write(List.of(new Rows.Entry(id.value(), bytes)));
  }
}
