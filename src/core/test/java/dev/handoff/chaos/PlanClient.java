package dev.handoff.chaos;

import dev.handoff.CancelHandle.CancelRequestAnswer;
import dev.handoff.Handoff;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.plan.Change;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanRetryAnswer;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.Resolution;
import dev.handoff.plan.ResolveAnswer;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ChangeHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Client of a chaos run with plans: acts out each [ChaosPlans] and writes the replies to the
/// journal.
final class PlanClient {

  private static final int UNDER_WAY = 8;

  private final Handoff handoff;
  private final PlanBench bench;
  private final ClientJournal journal;
  private final ApplySites sites;
  private final AtomicInteger plans = new AtomicInteger();
  private volatile boolean enough;

  PlanClient(Handoff handoff, PlanBench bench, ClientJournal journal, ApplySites sites) {
    this.handoff = handoff;
    this.bench = bench;
    this.journal = journal;
    this.sites = sites;
  }

  /// Acts out the stories concurrently, each of them repeatedly.
  void work(List<ChaosPlans> stories, Random random) {
    var all = new ArrayList<CompletableFuture<Void>>();
    for (var story : stories) {
      var own = new Random(random.nextLong());
      all.add(CompletableFuture.runAsync(() -> repeat(story, own), Thread::startVirtualThread));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
  }

  private void repeat(ChaosPlans story, Random random) {
    while (!enough) {
      live(story, random);
    }
  }

  /// Starts no further plans; those in progress are the last ones.
  void stop() {
    enough = true;
    bench.release();
  }

  private void live(ChaosPlans story, Random random) {
    var plan = submit(story, random);
    switch (story) {
      case RANDOM -> {
        call(plan, random);
        switch (random.nextInt(4)) {
          case 0 -> cancel(plan);
          case 1 -> sites.apply(plan);
          case 2 -> {
            var answer = sites.begin(plan);
            cancel(plan);
            sites.end(plan, answer);
          }
          default -> {}
        }
        endWell(plan, random.nextInt(4) == 0);
        sites.apply(plan);
      }
      case DISPUTED -> {
        call(plan, random);
        endWell(plan, false);
        sites.apply(plan);
        resolve(plan, random);
        sites.apply(plan);
        sites.apply(plan);
      }
      case STOPPED -> {
        BoundedWaits.until("its first steps run", () -> isWellUnderWay(plan));
        cancel(plan);
        end(plan);
        retry(plan);
        cancel(plan);
        end(plan);
        bench.release(plan.id().value());
        endWell(plan, false);
        sites.apply(plan);
      }
      case LASTING -> {
        endWell(plan, false);
        sites.apply(plan);
      }
      case LOST -> {
        BoundedWaits.get(plan.startChangeset("it keeps the plan", "a caller")).orThrow();
        bench.release(plan.id().value());
        end(plan);
      }
      case FRESH -> {
        var set = BoundedWaits.get(plan.startChangeset("in vain", "a caller")).orThrow();
        record(plan, set, "in-vain.txt");
        discard(plan, set);
        call(plan, random);
        endWell(plan, false);
        sites.apply(plan);
      }
    }
  }

  private PlanHandle submit(ChaosPlans story, Random random) {
    var name = story.name(plans.incrementAndGet());
    journal.say(What.PLAN_TRY, name);
    var plan = BoundedWaits.get(handoff.plans().submit(story.request(random, name))).orThrow();
    journal.say(What.PLAN_ACCEPTED, name, plan.id());
    return plan;
  }

  private void call(PlanHandle plan, Random random) {
    new BusyCallers(List.of(plan.id()), bench.changes(), BusyCallers.Latest::byTheMailbox)
        .work(random, 2, 6, handoff.plans()::plan);
  }

  private void record(PlanHandle plan, String set, String path) {
    bench.changes().add(new ChangeHistory.Asked(plan.id(), path));
    var told = BoundedWaits.get(plan.record(set, Change.create(path, path))).orThrow();
    bench
        .changes()
        .add(new ChangeHistory.Recorded(plan.id(), path, told.changeset(), told.entries()));
  }

  private void discard(PlanHandle plan, String set) {
    bench.changes().add(new ChangeHistory.Discarding(plan.id(), set));
    BoundedWaits.get(plan.discard(set)).orThrow();
    bench.changes().add(new ChangeHistory.Discarded(plan.id(), set));
  }

  /// Whether the first step runs, and the second one waits for its child.
  private static boolean isWellUnderWay(PlanHandle plan) {
    var steps = BoundedWaits.get(plan.info()).orElseThrow().steps();
    return steps.getFirst().status().equals("running")
        && !steps.get(1).info().orElseThrow().children().isEmpty();
  }

  private void cancel(PlanHandle plan) {
    if (BoundedWaits.get(plan.cancel("not needed", "a client").requested())
        == CancelRequestAnswer.REQUESTED) {
      journal.say(What.PLAN_CANCELLED, plan.id());
    }
  }

  private void retry(PlanHandle plan) {
    journal.say(What.PLAN_RETRY, plan.id());
    if (!(BoundedWaits.get(plan.retry("a client")) instanceof PlanRetryAnswer.Reopened)) {
      throw new IllegalStateException("plan " + plan + " was not opened again");
    }
  }

  private PlanInfo end(PlanHandle plan) {
    var info = BoundedWaits.get(plan.ended());
    journal.say(What.PLAN_ENDED, plan.id(), info.status().label());
    return info;
  }

  /// @param once whether a plan that did not succeed is left alone, rather than retried
  private void endWell(PlanHandle plan, boolean once) {
    BusyCallers.closeAll(plan, bench.changes());
    if (end(plan).status() != PlanStatus.SUCCEEDED && !once) {
      retry(plan);
      end(plan);
    }
  }

  private void resolve(PlanHandle plan, Random random) {
    var choice = random.nextBoolean() ? Resolution.Choice.OURS : Resolution.Choice.THEIRS;
    for (var conflict : BoundedWaits.get(plan.conflicts())) {
      var answer =
          random.nextInt(3) == 0
              ? plan.resolve(conflict.path(), conflict.ancestor().orElseThrow(), "a client")
              : plan.resolve(conflict.path(), choice, "a client");
      if (BoundedWaits.get(answer) instanceof ResolveAnswer.Resolved) {
        journal.say(What.RESOLVED, plan.id(), conflict.path());
      }
    }
  }

  /// Waits for the end of every plan, and applies it to its site.
  void finish() {
    var all = new ArrayList<CompletableFuture<Void>>();
    var room = new Semaphore(UNDER_WAY);
    Optional<String> cursor = Optional.empty();
    do {
      var page = BoundedWaits.get(handoff.plans().list(cursor, 1_000));
      for (var head : page.plans()) {
        room.acquireUninterruptibly();
        all.add(
            CompletableFuture.runAsync(
                    () -> finish(handoff.plans().plan(head.id())), Thread::startVirtualThread)
                .whenComplete((done, failure) -> room.release()));
      }
      cursor = page.next();
    } while (cursor.isPresent());
    all.forEach(CompletableFuture::join);
    BoundedWaits.until("no worker is busy", this::isIdle);
    journal.say(What.IDLE);
  }

  private void finish(PlanHandle plan) {
    var random = new Random(plan.id().hashCode());
    var story = ChaosPlans.of(BoundedWaits.get(plan.info()).orElseThrow().name());
    endWell(plan, story != ChaosPlans.LOST && random.nextInt(3) == 0);
    resolve(plan, random);
    sites.apply(plan);
  }

  private boolean isIdle() {
    var health = BoundedWaits.get(handoff.health());
    return health.ready() && health.busy() == 0 && health.abandoned() == 0;
  }
}
