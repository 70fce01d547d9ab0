package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StoreInfo;
import dev.handoff.UnavailableException;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.breaker.Breakers;
import dev.handoff.internal.breaker.GuardedCalls;
import dev.handoff.internal.dispatch.QueueNames;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.engine.EngineSettings;
import dev.handoff.internal.engine.EventBuffer;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.engine.Partition;
import dev.handoff.internal.facade.EngineCalls;
import dev.handoff.internal.facade.EventStreams;
import dev.handoff.internal.facade.HandlerRegistration;
import dev.handoff.internal.facade.JobCalls;
import dev.handoff.internal.facade.JobSubmissions;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.internal.facade.RunningEngine;
import dev.handoff.internal.plan.Blobs;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanAnswer;
import dev.handoff.internal.plan.PlanFact;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.StartedApply;
import dev.handoff.internal.spi.AssembleContext;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanNotFoundException;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanRetryAnswer;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.PlanSubmission;
import dev.handoff.plan.ResolveAnswer;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.TestActors;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Uses a fake engine with answers that a real engine gives only after serious failures.
@DisplayName("The facade of plans")
class PlanAnswersTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final PlanId PLAN = new PlanId("01K9Z3N0W6000000000000000A");
  private static final Duration LATER = Duration.ofMillis(1_500);
  private static final PlanReply AWAY = new PlanReply.Unavailable(PLAN, "away", LATER);
  private static final PlanReply TOO_LARGE = new PlanReply.Refused(PLAN, "too large");
  private static final PlanReply ODD = new PlanReply.Accepted(PLAN);
  private static final String NO_FIT = "gave an answer that does not fit the question";

  private final TestProbe<Gateway.Command> gateway = actors.probe(Gateway.Command.class);
  private final TestProbe<Partition.Command> partition = actors.probe(Partition.Command.class);
  private final TestProbe<Blobs.Command> blobs = actors.probe(Blobs.Command.class);
  private final Handoff handoff = facade();
  private final PlanHandle plan = handoff.plans().plan(PLAN);

  /// Store of which only the place is used.
  private static final class Elsewhere extends StoreAround {
    Elsewhere() {
      super(null);
    }

    @Override
    public StoreInfo info() {
      return new StoreInfo("memory", "elsewhere", 1, true, false);
    }
  }

  private Handoff facade() {
    var doors =
        new Engine.Ready(
            gateway.ref(),
            List.of(partition.ref()),
            actors.probe(Queues.Command.class).ref(),
            actors.probe(EventBuffer.Command.class).ref(),
            new GuardedCalls(
                ActorQuestions.on(actors.system()),
                actors.probe(Breakers.Command.class).ref(),
                new CancellationSource().token()),
            Optional.of(actors.probe(AssembleContext.class).ref()),
            blobs.ref(),
            ActorQuestions.on(actors.system()),
            List.of());
    var config = ConfigFactory.parseString("handoff.ledger.retry-after = 5ms");
    var settings =
        EngineSettings.from(
            config.withFallback(ConfigFactory.defaultReference()).resolve().getConfig("handoff"));
    return new EngineHandoff(
        new JobCalls(
            new RunningEngine(
                actors.system(),
                false,
                actors.probe(Engine.Command.class).ref(),
                doors,
                new Elsewhere(),
                new JobSubmissions(
                    Map.of("t", new HandlerRegistration<>(Json.class, (same, job) -> same)),
                    QueueNames.ANY,
                    InstantSource.system(),
                    JsonFormat.standard()),
                settings,
                new EngineCalls(doors.questions()),
                new EventStreams(doors.questions()))),
        EngineEnd.on(actors.system()));
  }

  private void answer(PlanReply reply) {
    var message = gateway.expectMessageClass(Gateway.RoutePlan.class).message();
    assertThat(message.plan()).isEqualTo(PLAN);
    ((Plan.Asked) message.command()).replyTo().tell(reply);
  }

  private <T> T after(CompletionStage<T> asked, PlanReply reply) {
    answer(reply);
    return BoundedWaits.get(asked);
  }

  private static PlanReply answered(PlanAnswer answer) {
    return new PlanReply.Answered(PLAN, answer);
  }

  private PlanSubmission submitted(PlanReply reply) {
    var asked = handoff.plans().submit(PlanRequest.of("p").step("a", JobRequest.of("t")));
    gateway.expectMessageClass(Gateway.SubmitPlan.class).replyTo().tell(reply);
    return BoundedWaits.get(asked);
  }

  @Test
  void tellsWhyAPlanIsNotTaken() {
    var tooLarge =
        "plan p cannot be stored: too large; make its payloads smaller, or several plans of it";
    assertThat(submitted(TOO_LARGE)).isEqualTo(new PlanSubmission.Refused(tooLarge));
    assertThat(submitted(AWAY)).isEqualTo(new PlanSubmission.Unavailable("away", LATER));
    assertThat(((PlanSubmission.Unavailable) submitted(new PlanReply.NotFound(PLAN))).reason())
        .endsWith(NO_FIT);
    assertThatThrownBy(() -> submitted(TOO_LARGE).orThrow()).hasMessage(tooLarge);
    assertThatThrownBy(() -> submitted(AWAY).orThrow()).hasMessage("away; try again in 1.5s");
  }

  @Test
  void tellsWhyACancelIsNotTaken() {
    assertThatThrownBy(() -> after(plan.cancel("x").requested(), AWAY))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("away; try again in 1.5s");
    var forgotten = plan.cancel("x").ended();
    answer(answered(new PlanAnswer.AlreadyFinished(PlanStatus.FAILED)));
    assertThat(after(forgotten, new PlanReply.NotFound(PLAN)))
        .isEqualTo(new PlanCancelReport.NotFound(PLAN));
  }

  @Test
  void tellsWhyARetryIsNotTaken() {
    var busy = answered(new PlanAnswer.Busy(applying()));

    assertThat(after(plan.retry("me"), busy))
        .isEqualTo(new PlanRetryAnswer.NotPossible(PLAN, "its changes are being applied"));
    assertThat(after(plan.retry("me"), AWAY))
        .isEqualTo(new PlanRetryAnswer.Unavailable("away", LATER));
    assertThat(((PlanRetryAnswer.Unavailable) after(plan.retry("me"), ODD)).reason())
        .endsWith(NO_FIT);
  }

  private static StartedApply applying() {
    return new StartedApply(1, "/site", 1, "h", Instant.EPOCH);
  }

  @Test
  void waitsOnWhileTheStoreIsAway() {
    var result = plan.result();

    answer(AWAY);
    answer(TOO_LARGE);
    answer(new PlanReply.NotFound(PLAN));

    assertThatThrownBy(() -> BoundedWaits.get(result)).isInstanceOf(PlanNotFoundException.class);
  }

  @Test
  void tellsThatAPlanCannotBeLookedAtNow() {
    assertThatThrownBy(() -> after(plan.info(), AWAY)).isInstanceOf(UnavailableException.class);
    assertThatThrownBy(() -> after(plan.diff(), TOO_LARGE)).hasMessage("too large");
    assertThat(after(plan.resolve("a", new byte[0], "me"), AWAY))
        .isInstanceOf(ResolveAnswer.Unavailable.class);
  }

  /// Blobs of a plan that does not exist would never be released.
  @Test
  void storesNothingBeforeItHasSeenThePlan() {
    var change = Change.create("a.txt", "a");

    assertThat(after(plan.record("c1", change), new PlanReply.NotFound(PLAN)))
        .isEqualTo(new ChangeAnswer.Refused("plan " + PLAN + " does not exist"));
    assertThat(after(plan.record("c1", change), AWAY))
        .isInstanceOfSatisfying(
            ChangeAnswer.Unavailable.class, away -> assertThat(away.reason()).contains("away"));
    blobs.expectNoMessage(Duration.ZERO);
    var recorded = plan.record("c1", change);
    answer(current());
    blobs.expectMessageClass(Blobs.Keep.class).replyTo().tell(new Blobs.Kept());
    after(recorded, AWAY);
    plan.record("c1", change);
    blobs.expectMessageClass(Blobs.Keep.class);
  }

  private static PlanReply current() {
    var spec = new PlanSpec("p", 1, false, null, List.of(), null);
    var submitted = new PlanFact.Submitted(spec, Instant.EPOCH, false);
    return new PlanReply.Current(PlanState.create(PLAN, submitted));
  }

  /// Starts a changeset: the answer shows that the plan exists.
  private void seen() {
    after(plan.startChangeset("mine", "me"), answered(new PlanAnswer.Started("c1")));
  }

  private ChangeAnswer recorded(PlanReply reply) {
    var asked = plan.record("c1", Change.create("a.txt", "a"));
    blobs.expectMessageClass(Blobs.Keep.class).replyTo().tell(new Blobs.Kept());
    return after(asked, reply);
  }

  @Test
  void tellsWhyChangesAreNotTaken() {
    seen();
    assertThat(recorded(AWAY)).isEqualTo(new ChangeAnswer.Unavailable("away", LATER));
    assertThat(recorded(TOO_LARGE)).isEqualTo(new ChangeAnswer.Refused("too large"));
    assertThat(recorded(answered(new PlanAnswer.Declined("not now"))))
        .isEqualTo(new ChangeAnswer.Refused("not now"));
    assertThat(recorded(answered(new PlanAnswer.Full("too many"))))
        .isEqualTo(new ChangeAnswer.Full("too many"));
    assertThat(((ChangeAnswer.Unavailable) recorded(ODD)).reason()).endsWith(NO_FIT);
    var refused = plan.record("c1", Change.create("a.txt", "a"));
    blobs.expectMessageClass(Blobs.Keep.class).replyTo().tell(new Blobs.Unavailable("away", LATER));
    assertThat(BoundedWaits.get(refused)).isEqualTo(new ChangeAnswer.Unavailable("away", LATER));
    gateway.expectNoMessage(Duration.ZERO);
  }

  @Test
  void tellsWhyAChangesetIsNotStarted() {
    assertThat(after(plan.startChangeset("l", "me"), AWAY))
        .isEqualTo(new ChangesetAnswer.Unavailable("away", LATER));
    assertThat(after(plan.startChangeset("l", "me"), TOO_LARGE))
        .isEqualTo(new ChangesetAnswer.NotPossible("too large"));
    assertThat(after(plan.close("c1"), answered(new PlanAnswer.Declined("grown"))))
        .isEqualTo(new ChangesetAnswer.NotPossible("grown"));
    assertThat(after(plan.startChangeset("l", "me"), answered(new PlanAnswer.Full("many"))))
        .isEqualTo(new ChangesetAnswer.NotPossible("many"));
    assertThat(((ChangesetAnswer.Unavailable) after(plan.discard("c1"), ODD)).reason())
        .endsWith(NO_FIT);
  }

  /// After a restart, the engine first finishes the apply of the dead process.
  @Test
  void asksAgainWhileAnotherApplyIsUnderWay() {
    var applied = plan.apply(Path.of("."));

    answer(answered(new PlanAnswer.Busy(applying())));
    answer(answered(new PlanAnswer.NothingToApply()));

    assertThat(BoundedWaits.get(applied)).isEqualTo(new ApplyAnswer.NothingToApply());
  }

  @Test
  void tellsThatAnotherApplyGoesOn() {
    var applied = plan.apply(Path.of("."));

    for (int i = 0; i <= 20; i++) {
      answer(answered(new PlanAnswer.Busy(applying())));
    }

    assertThat(BoundedWaits.get(applied)).isEqualTo(new ApplyAnswer.Busy("/site"));
  }

  @Test
  void tellsWhyAnApplyIsNotTaken() {
    assertThat(after(plan.apply(Path.of(".")), AWAY))
        .isEqualTo(new ApplyAnswer.Unavailable("away", LATER));
    assertThat(after(plan.check(Path.of(".")), TOO_LARGE))
        .isEqualTo(new ApplyAnswer.NotPossible("too large"));
    assertThat(((ApplyAnswer.Unavailable) after(plan.apply(Path.of(".")), ODD)).reason())
        .endsWith(NO_FIT);
  }

  @Test
  void tellsThatPlansCannotBeListedNow() {
    var page = handoff.plans().list(Optional.empty(), 10);

    partition
        .expectMessageClass(Partition.ListPlans.class)
        .replyTo()
        .tell(new Partition.NotListed(0, "it is being read back", LATER));

    assertThatThrownBy(() -> BoundedWaits.get(page)).hasMessageContaining("read back");
  }
}
