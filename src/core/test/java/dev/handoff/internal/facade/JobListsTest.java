package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobFilter;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobPage;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.UnavailableException;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.store.HistoryQuery;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.Store;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.RewrittenRow;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A list of jobs")
class JobListsTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private StoreDirectory home;
  private Handoff handoff;

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private void start(StoreDirectory.Kind kind, int rowsAtOnce) {
    home = StoreDirectory.of(kind);
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(inner -> new Stingy(inner, rowsAtOnce))
            .handler("done", Json.class, (payload, job) -> payload)
            .handler("later", Json.class, (payload, job) -> payload)
            .start();
  }

  /// Store that returns fewer history rows than requested, as stores do for large rows.
  private static final class Stingy extends StoreAround {

    private final int most;

    Stingy(Store inner, int most) {
      super(inner);
      this.most = most;
    }

    @Override
    public CompletionStage<List<HistoryRow>> list(HistoryQuery query) {
      return super.list(
          new HistoryQuery(
              query.kind(),
              query.status(),
              query.type(),
              query.queue(),
              query.plan(),
              query.label(),
              query.before(),
              Math.min(most, query.limit())));
    }
  }

  /// Creates ended and waiting jobs, mixed.
  private List<JobId> jobs(int count) {
    var ids = new ArrayList<JobId>();
    for (int i = 0; i < count; i++) {
      ids.add(i % 3 == 0 ? waiting().id() : ended().id());
    }
    ids.sort(Comparator.comparing(JobId::value).reversed());
    return ids;
  }

  private JobHandle ended() {
    var job = handoff.submitOrThrow(JobRequest.of("done").queue("a"));
    BoundedWaits.get(job.result());
    return job;
  }

  private JobHandle waiting() {
    return handoff.submitOrThrow(
        JobRequest.of("later").delay(Duration.ofDays(1)).label("colour", "red"));
  }

  private JobPage page(JobFilter filter, Optional<String> cursor, int limit) {
    return BoundedWaits.get(handoff.jobs(filter, cursor, limit));
  }

  private static List<JobId> ids(JobPage page) {
    return page.jobs().stream().map(JobInfo::id).toList();
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> stores() {
    return Stream.of(StoreDirectory.Kind.values())
        .flatMap(
            kind ->
                Stream.of(1, 3, 10_000)
                    .map(most -> org.junit.jupiter.params.provider.Arguments.of(kind, most)));
  }

  @ParameterizedTest(name = "in {0}, at most {1} rows at once")
  @MethodSource("stores")
  void hasEachOnceNewestFirstPageByPage(StoreDirectory.Kind kind, int rowsAtOnce) {
    start(kind, rowsAtOnce);
    var expected = jobs(20);

    var seen = new ArrayList<JobId>();
    var cursor = Optional.<String>empty();
    int pages = 0;
    do {
      var page = page(JobFilter.ALL, cursor, 6);
      assertThat(page.jobs()).hasSizeBetween(1, 6);
      seen.addAll(ids(page));
      cursor = page.next();
      jobs(2);
      pages++;
    } while (cursor.isPresent());

    assertThat(seen).isEqualTo(expected);
    assertThat(pages).isGreaterThanOrEqualTo(4);
  }

  @Test
  void endsExactlyWithItsLastJob() {
    start(StoreDirectory.Kind.MEMORY, 10_000);
    assertThat(page(JobFilter.ALL, Optional.empty(), 10).jobs()).isEmpty();
    jobs(10);

    assertThat(page(JobFilter.ALL, Optional.empty(), 10).next()).isEmpty();
    assertThat(page(JobFilter.ALL, Optional.empty(), 9).next()).isPresent();
    assertThat(page(JobFilter.ALL, Optional.empty(), 10_000).jobs()).hasSize(10);
    var rest = page(JobFilter.ALL, page(JobFilter.ALL, Optional.empty(), 9).next(), 9);
    assertThat(rest.jobs()).hasSize(1);
    assertThat(rest.next()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(StoreDirectory.Kind.class)
  void hasWhatWasAskedFor(StoreDirectory.Kind kind) {
    start(kind, 10_000);
    var done = ended().id();
    var later = waiting().id();
    var cancelled = waiting();
    BoundedWaits.get(cancelled.cancel("a test").ended());

    assertThat(listed(JobFilter.ALL.status(JobStatus.SUCCEEDED))).containsExactly(done);
    assertThat(listed(JobFilter.ALL.status(JobStatus.SCHEDULED))).containsExactly(later);
    assertThat(listed(JobFilter.ALL.status(JobStatus.FAILED))).isEmpty();
    assertThat(listed(JobFilter.ALL.type("done"))).containsExactly(done);
    assertThat(listed(JobFilter.ALL.queue("a"))).containsExactly(done);
    assertThat(listed(JobFilter.ALL.queue("b"))).isEmpty();
    assertThat(listed(JobFilter.ALL.label("colour", "red"))).containsExactly(cancelled.id(), later);
    assertThat(listed(JobFilter.ALL.label("colour", "r%"))).isEmpty();
    assertThat(listed(JobFilter.ALL.label("colou_", "red"))).isEmpty();
    assertThat(listed(JobFilter.ALL.label("colour", "red").status(JobStatus.CANCELLED)))
        .containsExactly(cancelled.id());
    assertThat(listed(new JobFilter(null, null, null, "a-plan", null))).isEmpty();
  }

  private List<JobId> listed(JobFilter filter) {
    return ids(page(filter, Optional.empty(), 10));
  }

  static Stream<JobFilter> tampered() {
    return Stream.of(
        JobFilter.ALL.type("a' OR 1=1 --"),
        JobFilter.ALL.queue("%"),
        JobFilter.ALL.queue(""),
        new JobFilter(null, null, null, "a/b", null),
        new JobFilter(null, null, null, null, "no sign"),
        JobFilter.ALL.label("a b", "x"),
        JobFilter.ALL.label("a", "x|y"),
        JobFilter.ALL.label("a", "\0"));
  }

  @ParameterizedTest
  @MethodSource("tampered")
  void refusesAFilterThatNobodyCanMean(JobFilter filter) {
    start(StoreDirectory.Kind.MEMORY, 10_000);

    assertThatThrownBy(() -> handoff.jobs(filter, Optional.empty(), 10))
        .isInstanceOf(InvalidRequestException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "01M7QBVBGYEC1A6TT50B8TCD00 ", "01m7qbvbgyec1a6tt50b8tcd00"})
  void refusesACursorThatItHasNotGiven(String cursor) {
    start(StoreDirectory.Kind.MEMORY, 10_000);

    assertThatThrownBy(() -> handoff.jobs(JobFilter.ALL, Optional.of(cursor), 10))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("cursor");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 10_001})
  void refusesALimitThatIsNone(int limit) {
    start(StoreDirectory.Kind.MEMORY, 10_000);

    assertThatThrownBy(() -> handoff.jobs(JobFilter.ALL, Optional.empty(), limit))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("limit");
  }

  @Test
  void failsNamingTheJobThatCannotBeRead() {
    home = StoreDirectory.of(StoreDirectory.Kind.MEMORY);
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(Damaged::new)
            .handler("done", Json.class, (payload, job) -> payload)
            .start();
    var job = ended();

    assertThatThrownBy(() -> page(JobFilter.ALL, Optional.empty(), 10))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining(job.id().value());
  }

  private static final class Damaged extends StoreAround {

    Damaged(Store inner) {
      super(inner);
    }

    @Override
    public CompletionStage<List<HistoryRow>> list(HistoryQuery query) {
      return super.list(query)
          .thenApply(rows -> rows.stream().map(row -> RewrittenRow.state(row, (byte) 1)).toList());
    }
  }

  @Test
  void isUnavailableWhileHistoryIs() {
    home = StoreDirectory.of(StoreDirectory.Kind.MEMORY);
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(
                inner ->
                    new StoreAround(inner) {
                      @Override
                      public CompletionStage<List<HistoryRow>> list(HistoryQuery query) {
                        return CompletableFuture.failedStage(new IllegalStateException("gone"));
                      }
                    })
            .handler("done", Json.class, (payload, job) -> payload)
            .start();

    assertThatThrownBy(() -> page(JobFilter.ALL, Optional.empty(), 10))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("gone");
    assertThat(page(JobFilter.ALL.status(JobStatus.QUEUED), Optional.empty(), 10).jobs()).isEmpty();
  }
}
