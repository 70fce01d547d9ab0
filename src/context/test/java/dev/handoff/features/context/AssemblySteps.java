package dev.handoff.features.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.StoreSettings;
import dev.handoff.breaker.BreakerInfo;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.context.Assembled;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextFragment;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HandClock;
import io.cucumber.java.After;
import io.cucumber.java.Before;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Steps about strategies in `issue_7088_in_parallel.feature`.
public final class AssemblySteps {

  private static final int PATIENCE_SECONDS = 20;

  private final HandClock clock = new HandClock(Instant.parse("2026-11-18T08:00:00Z"));
  private final Map<String, Acting> strategies = new HashMap<>();
  private final List<ContextAnswer> answers = new ArrayList<>();
  private Duration timeout = Duration.ofSeconds(PATIENCE_SECONDS);
  private Duration took = Duration.ZERO;
  private Path root;
  private Handoff handoff;

  /// Strategy whose behaviour the scenario sets.
  private static final class Acting implements Strategy {
    private final String name;
    private final ConcurrentLinkedQueue<Instant> calls = new ConcurrentLinkedQueue<>();
    private final CountDownLatch looking = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private volatile Doing doing;

    Acting(String name, Doing doing) {
      this.name = name;
      this.doing = doing;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
      return 0.5;
    }

    @Override
    public CompletionStage<List<Fragment>> gather(StrategyCall call) throws Exception {
      calls.add(Instant.now());
      looking.countDown();
      try {
        return doing.gather();
      } catch (InterruptedException stopped) {
        interrupted.countDown();
        throw stopped;
      }
    }
  }

  private interface Doing {
    CompletionStage<List<Fragment>> gather() throws Exception;
  }

  @Before("@issue_7088")
  public void makeRoot() throws IOException {
    root = Files.createTempDirectory("handoff-context");
  }

  @After("@issue_7088")
  public void close() throws IOException {
    if (handoff != null) {
      handoff.close();
    }
    Files.delete(root);
  }

  @Given("the strategy {string} fails")
  public void fails(String name) {
    acts(
        name,
        () -> {
          throw new IllegalStateException("no model");
        });
  }

  @Given("the strategy {string} never ends, and has half a second")
  public void hangs(String name) {
    timeout = Duration.ofMillis(500);
    acts(
        name,
        () -> {
          new CountDownLatch(1).await();
          throw new AssertionError("nobody counts it down");
        });
  }

  @Given("the strategy {string} finds {string}")
  public void finds(String name, String resource) {
    acts(name, () -> found(name, resource));
  }

  @Given("the strategy {string} works again")
  public void works(String name) {
    strategies.get(name).doing = () -> found(name, "docs/other.md");
  }

  private static CompletionStage<List<Fragment>> found(String name, String resource) {
    var text = "This is what the answer to the question looks like in " + resource;
    return CompletableFuture.completedStage(
        List.of(Fragment.of(resource, name, SearchDepth.FULL, text, 0.9)));
  }

  private void acts(String name, Doing doing) {
    strategies.put(name, new Acting(name, doing));
  }

  private Handoff handoff() {
    if (handoff == null) {
      var builder =
          Handoff.builder().store(new StoreSettings.Memory()).partitions(1).workers(1).clock(clock);
      strategies.values().forEach(builder::strategy);
      handoff = builder.start();
    }
    return handoff;
  }

  private ContextRequest request() {
    return ContextRequest.of("what is the answer", root)
        .strategies(strategies.keySet().toArray(String[]::new))
        .timeout(timeout);
  }

  @When("a context is assembled")
  public void assemble() {
    var before = System.nanoTime();
    answers.add(BoundedWaits.get(handoff().assemble(request())));
    took = Duration.ofNanos(System.nanoTime() - before);
  }

  @When("a context is assembled {int} times")
  public void assemble(int times) {
    for (int i = 0; i < times; i++) {
      assemble();
    }
  }

  @When("{int} contexts are assembled at the same time")
  public void assembleAtOnce(int count) {
    var under = new ArrayList<CompletionStage<ContextAnswer>>();
    for (int i = 0; i < count; i++) {
      under.add(handoff().assemble(request()));
    }
    under.forEach(one -> answers.add(BoundedWaits.get(one)));
  }

  @When("the breaker's time is over")
  public void passOpenTime() {
    clock.move(Duration.ofSeconds(40));
  }

  @When("a context is asked for, and cancelled while {string} looks")
  public void cancel(String name) throws InterruptedException {
    timeout = Duration.ofSeconds(PATIENCE_SECONDS);
    var stop = new CancellationSource();
    var answer = handoff().assemble(request(), stop.token());
    assertThat(strategies.get(name).looking.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "not needed", "operator"));
    answers.add(BoundedWaits.get(answer));
  }

  @Then("it holds {string}")
  public void holds(String resource) {
    assertThat(resources(answers.getLast())).contains(resource);
  }

  @Then("each of them holds {string}")
  public void allHold(String resource) {
    assertThat(answers).isNotEmpty().allMatch(answer -> resources(answer).contains(resource));
  }

  private static List<String> resources(ContextAnswer answer) {
    return answer.orThrow().fragments().stream().map(ContextFragment::resource).toList();
  }

  @Then("it was there within {int} seconds")
  public void wasThereWithin(int seconds) {
    assertThat(took).isLessThan(Duration.ofSeconds(seconds));
  }

  @Then("the report says that {string} {}")
  public void reports(String name, String outcome) {
    assertThat(report().strategies())
        .filteredOn(one -> one.name().equals(name))
        .extracting(one -> one.outcome().label())
        .containsExactly(outcome);
  }

  private Assembled.Report report() {
    return switch (answers.getLast()) {
      case Assembled assembled -> assembled.report();
      case ContextAnswer.Cancelled(var reason, var report) -> report;
      case ContextAnswer other -> throw new AssertionError("no report in " + other);
    };
  }

  @Then("the breaker of {string} is {word}")
  public void breakerIs(String name, String state) {
    assertThat(breaker(name).status().name().toLowerCase(Locale.ROOT)).isEqualTo(state);
  }

  @Then("the breaker of {string} has no failures")
  public void breakerHasNoFailures(String name) {
    assertThat(breaker(name).counts().failures()).isZero();
  }

  @Then("the breaker of {string} has counted every call of it")
  public void breakerCounted(String name) {
    assertThat(breaker(name).counts().calls()).isEqualTo(strategies.get(name).calls.size());
  }

  @Then("no breaker has a permit out")
  public void noPermits() {
    assertThat(BoundedWaits.get(handoff().breakers().list()))
        .hasSize(3)
        .allMatch(one -> one.out() == 0);
  }

  private BreakerInfo breaker(String name) {
    return BoundedWaits.get(handoff().breakers().get(name)).orElseThrow();
  }

  @Then("{string} was called {int} times")
  public void wasCalled(String name, int times) {
    assertThat(strategies.get(name).calls).hasSize(times);
  }

  @Then("the answer is that it was cancelled")
  public void wasCancelled() {
    assertThat(answers.getLast())
        .isInstanceOfSatisfying(
            ContextAnswer.Cancelled.class,
            cancelled -> assertThat(cancelled.reason()).isEqualTo("not needed"));
  }

  @Then("{string} was interrupted")
  public void wasInterrupted(String name) throws InterruptedException {
    assertThat(strategies.get(name).interrupted.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }
}
