package dev.handoff.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Backoff;
import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.internal.plan.OpenChangeset;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangeRefusedException;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.FileDiff;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ChangeHistory;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.OnStore;
import dev.handoff.testing.PlanInvariants;
import dev.handoff.testing.PlanStoreSamples;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestPlan;
import io.cucumber.java.After;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Steps about changes in `issue_7120.feature`.
public final class ChangesetSteps {

  private final ChangeHistory history = new ChangeHistory();
  private final Map<String, String> ids = new LinkedHashMap<>();
  private final Map<String, ChangeAnswer> answers = new HashMap<>();
  private final List<CompletionStage<ChangesetAnswer>> starting = new ArrayList<>();
  private CompletionStage<ChangeAnswer> recording;
  private StoreDirectory home;
  private HeldHandler held;
  private HeldStore store;
  private Handoff handoff;
  private PlanHandle plan;
  private HeldHandler.Attempt attempt;
  private ChangeAnswer last;

  @After
  public void close() {
    if (handoff != null) {
      store.release();
      handoff.close();
      home.close();
    }
  }

  private void start() {
    held = new HeldHandler();
    handoff =
        OnStore.start(
            Handoff.builder()
                .store(home.store())
                .partitions(1)
                .workers(4)
                .shutdownGrace(Duration.ZERO)
                .cancelling(Duration.ofMillis(10), Duration.ofSeconds(20))
                .set("ledger.checkpoint-after", "1GiB")
                .handler("held", Json.class, held),
            inner -> store = new HeldStore(inner));
  }

  /// The plan's only step runs until a scenario ends it.
  @Given("a plan that runs")
  public void aPlan() {
    home = StoreDirectory.of(StoreDirectory.Kind.FILE);
    start();
    var step = JobRequest.of("held").maxAttempts(2).backoff(Backoff.none());
    plan = handoff.plans().submitOrThrow(PlanRequest.of("site").step("page", step));
    attempt = held.next();
  }

  @Given("a plan that runs, on a store that waits before it writes")
  public void aPlanOnAHeldStore() {
    aPlan();
    BoundedWaits.until("it is running", () -> status().equals("running"));
    store.holdWrites();
  }

  private String status() {
    return BoundedWaits.get(plan.info()).orElseThrow().steps().getFirst().status();
  }

  @Given("a changeset {string}")
  public void aChangeset(String label) {
    ids.put(label, BoundedWaits.get(plan.startChangeset(label, "a caller")).orThrow());
  }

  @Given("changeset {string} is closed")
  public void isClosed(String label) {
    BoundedWaits.get(plan.close(ids.get(label))).orThrow();
  }

  @Given("changeset {string} is discarded")
  public void isDiscarded(String label) {
    BoundedWaits.get(plan.discard(ids.get(label))).orThrow();
  }

  @When("a caller records {string} in the latest changeset")
  public void recordInTheLatest(String path) {
    tell(path, BoundedWaits.get(plan.record(Change.create(path, path))));
  }

  @When("a caller records {string} in changeset {string}")
  public void record(String path, String label) {
    tell(path, BoundedWaits.get(plan.record(ids.get(label), Change.create(path, path))));
  }

  @When("a caller records {string} in a changeset that never was")
  public void recordInNone(String path) {
    tell(path, BoundedWaits.get(plan.record("c9", Change.create(path, path))));
  }

  private void tell(String path, ChangeAnswer answer) {
    last = answer;
    answers.put(path, answer);
  }

  @Then("the reply for {string} names changeset {string}")
  public void names(String path, String label) {
    assertThat(answers.get(path)).isEqualTo(new ChangeAnswer.Recorded(ids.get(label), 1));
  }

  @Then("changeset {string} holds {string} and nothing else")
  public void holds(String label, String path) {
    assertThat(contents().get(ids.get(label))).containsExactly(path);
  }

  @Then("changeset {string} holds nothing")
  public void holdsNothing(String label) {
    assertThat(contents().get(ids.get(label))).isEmpty();
  }

  @Then("no changeset holds {string}")
  public void noneHolds(String path) {
    assertThat(contents().values()).allSatisfy(paths -> assertThat(paths).doesNotContain(path));
  }

  /// Paths in each changeset, open or committed.
  private Map<String, List<String>> contents() {
    var contents = new LinkedHashMap<String, List<String>>();
    for (var open : openSets()) {
      contents.put(open.id(), open.entries().stream().map(ChangeEntry::path).toList());
    }
    for (var set : BoundedWaits.get(plan.changesets())) {
      contents.put(set.id(), paths(set.id()));
    }
    return contents;
  }

  private List<OpenChangeset> openSets() {
    return new TestPlan(handoff, plan.id()).state().book().open();
  }

  private List<String> paths(String set) {
    return BoundedWaits.get(plan.diff(set)).orElseThrow().report().files().stream()
        .map(FileDiff::path)
        .toList();
  }

  @Then("the caller is told {string}")
  public void isTold(String message) {
    assertThatThrownBy(last::orThrow)
        .isInstanceOf(ChangeRefusedException.class)
        .hasMessage(message);
  }

  @Then("the caller is told that there is no changeset {string}")
  public void isToldOfNone(String set) {
    isTold("the plan has no changeset \"%s\": start one first".formatted(set));
  }

  @When("a changeset {string} is being started")
  public void isBeingStarted(String label) {
    starting.add(plan.startChangeset(label, "a caller"));
  }

  @When("a caller records {string} in the latest one while changeset {string} is being started")
  public void recordWhileStarting(String path, String label) {
    recording = plan.record(Change.create(path, path));
    isBeingStarted(label);
  }

  @Then("nobody has been answered")
  public void nobodyIsAnswered() {
    BoundedWaits.get(handoff.health());
    assertThat(starting).noneMatch(stage -> stage.toCompletableFuture().isDone());
    assertThat(recording.toCompletableFuture()).isNotDone();
  }

  @When("the store has written")
  public void hasWritten() {
    store.release();
  }

  @Then("the entry {string} is where its reply says, and nowhere else")
  public void isWhereItsReplySays(String path) {
    starting.forEach(stage -> BoundedWaits.get(stage).orThrow());
    var told = BoundedWaits.get(recording).orThrow();
    var contents = contents();
    assertThat(contents).hasSize(2);
    contents.forEach(
        (set, paths) ->
            assertThat(paths).isEqualTo(set.equals(told.changeset()) ? List.of(path) : List.of()));
  }

  @When("{int} callers start and record {int} times each at the same time")
  public void startAndRecord(int callers, int acts) {
    var all = new ArrayList<CompletableFuture<Void>>();
    for (int number = 0; number < callers; number++) {
      var name = "caller-" + number;
      all.add(
          CompletableFuture.runAsync(() -> startAndRecord(name, acts), Thread::startVirtualThread));
    }
    all.forEach(BoundedWaits::get);
  }

  private void startAndRecord(String name, int acts) {
    for (int act = 0; act < acts; act++) {
      if (act % 5 == 0) {
        BoundedWaits.get(plan.startChangeset(name, name)).orThrow();
      }
      var path = name + "/" + act + ".txt";
      history.add(new ChangeHistory.Asked(plan.id(), path));
      var told = BoundedWaits.get(plan.record(Change.create(path, path))).orThrow();
      history.add(new ChangeHistory.Recorded(plan.id(), path, told.changeset(), told.entries()));
    }
  }

  @Then("every entry is in exactly the set that its reply named, in order")
  public void isWhereRepliesSay() {
    var sets = new HashMap<String, List<String>>();
    for (var set : openSets()) {
      sets.put(set.id(), set.entries().stream().map(ChangeEntry::path).toList());
    }
    var told = history.all(ChangeHistory.Recorded.class);
    for (var one : told) {
      assertThat(sets.get(one.changeset()).get(one.place() - 1)).isEqualTo(one.path());
    }
    assertThat(sets.values().stream().mapToInt(List::size).sum()).isEqualTo(told.size());
  }

  @When("the engine is started again")
  public void startAgain() {
    handoff.close();
    start();
    plan = handoff.plans().plan(plan.id());
    attempt = held.next();
  }

  @When("all changesets are closed")
  public void closeAll() {
    BoundedWaits.get(plan.info()).orElseThrow().openChangesets().stream()
        .map(PlanInfo.OpenChangeset::id)
        .forEach(
            set -> {
              BoundedWaits.get(plan.close(set)).orThrow();
              history.add(new ChangeHistory.Closed(plan.id(), set));
            });
  }

  @Then("the chain verifies")
  public void verifies() {
    assertThat(BoundedWaits.get(plan.verify())).isInstanceOf(ChainVerdict.Intact.class);
    attempt.succeed(null);
    BoundedWaits.get(plan.result());
    handoff.close();
    assertThat(PlanInvariants.violations(history, PlanStoreSamples.of(home.store()))).isEmpty();
  }

  @When("its step records {string} and then succeeds")
  public void recordsAndSucceeds(String path) {
    recordsInStep(path);
    attempt.succeed(null);
    BoundedWaits.get(plan.result());
  }

  @When("its step records {string} and then fails")
  public void recordsAndFails(String path) {
    recordsAndFailsOnce(path);
    attempt.fail("no paper");
    BoundedWaits.get(plan.result());
  }

  @When("its step records {string} and then fails, and is tried again")
  public void recordsAndFailsOnce(String path) {
    recordsInStep(path);
    attempt.fail("no paper");
    attempt = held.next();
  }

  @When("its step records {string} and then is cancelled")
  public void recordsAndIsCancelled(String path) {
    recordsInStep(path);
    BoundedWaits.get(plan.cancel("not needed").ended());
  }

  private void recordsInStep(String path) {
    BoundedWaits.get(attempt.job().changes().record(Change.create(path, path))).orThrow();
  }

  @When("its step has recorded {string} and its success is being written")
  public void isSucceeding(String path) {
    recordsInStep(path);
    attempt.succeed(null);
    BoundedWaits.until("its success is being written", () -> store.heldWrites() > 0);
  }

  @Then("the plan has {string}")
  public void has(String path) {
    BoundedWaits.get(plan.result());
    assertThat(changed()).contains(path);
  }

  @Then("the plan has not {string}")
  public void hasNot(String path) {
    assertThat(changed()).doesNotContain(path);
  }

  private List<String> changed() {
    return BoundedWaits.get(plan.diff()).report().files().stream().map(FileDiff::path).toList();
  }
}
