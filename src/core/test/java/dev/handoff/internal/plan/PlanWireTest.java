package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.BODY;
import static dev.handoff.internal.plan.PlanSamples.ID;
import static dev.handoff.internal.plan.PlanSamples.NOW;
import static dev.handoff.internal.plan.PlanSamples.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.SealedKinds;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.WireChecks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A message to a plan, or from one,")
class PlanWireTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final StartedApply APPLYING = new StartedApply(2, TARGET, 3, BODY, NOW);
  private static final WrittenApply APPLIED = new WrittenApply(2, TARGET, 3, BODY, 4, NOW);

  private final ActorRef<PlanReply> requester = actors.probe(PlanReply.class).ref();

  private static List<PlanCommand> commands() {
    return PlanSamples.commands().values().stream()
        .filter(command -> !(command instanceof PlanCommand.Internal))
        .toList();
  }

  private static List<PlanAnswer> answers() {
    return List.of(
        new PlanAnswer.Done(),
        new PlanAnswer.AlreadyFinished(PlanStatus.FAILED),
        new PlanAnswer.Declined("not now"),
        new PlanAnswer.Started("c1"),
        new PlanAnswer.Recorded("c1", 7),
        new PlanAnswer.NoActiveChangeset(),
        new PlanAnswer.ChangesetClosed("c1", true),
        new PlanAnswer.UnknownChangeset("c9"),
        new PlanAnswer.Full("too many"),
        new PlanAnswer.Busy(APPLYING),
        new PlanAnswer.NothingToApply());
  }

  private static List<ApplyOutcome> outcomes() {
    var file = new ApplyAnswer.File("a.txt", "created", 7);
    var problem =
        new ApplyAnswer.Problem("a.txt", "another file", "1", "2", null, List.of("a", "b/c"));
    return List.of(
        new ApplyOutcome.Written(TARGET, List.of(file)),
        new ApplyOutcome.Conflicted(TARGET, List.of(problem)),
        new ApplyOutcome.Undone(TARGET, "no room", true),
        new ApplyOutcome.Already(TARGET, APPLIED),
        new ApplyOutcome.Already(TARGET, null));
  }

  private List<WireMessage> messages() {
    var all = new ArrayList<WireMessage>();
    commands().forEach(command -> all.add(new Plan.Do(command, requester)));
    all.add(new Plan.Check(TARGET, requester));
    all.add(new Plan.Get(requester));
    all.add(new Plan.Watch(requester));
    all.add(new PlanEnvelope(ID, new Plan.Get(requester)));
    answers().forEach(answer -> all.add(new PlanReply.Answered(ID, answer)));
    outcomes().forEach(outcome -> all.add(new PlanReply.ApplyEnded(ID, outcome)));
    PlanStoredSamples.states().values().forEach(state -> all.add(new PlanReply.Current(state)));
    all.add(new PlanReply.Accepted(ID));
    all.add(new PlanReply.NotFound(ID));
    all.add(new PlanReply.Unavailable(ID, "away", Duration.ofMillis(1_500)));
    all.add(new PlanReply.Refused(ID, "too large"));
    return all;
  }

  private static List<Class<?>> kinds(List<?> messages) {
    return messages.stream().<Class<?>>map(Object::getClass).toList();
  }

  @Test
  void arrivesAsItWasSent() {
    WireChecks.assertArrive(actors, messages());
  }

  @Test
  void isWrittenByJackson() {
    WireChecks.assertWrittenByJackson(actors, messages());
  }

  @Test
  void isTriedInEveryKind() {
    assertThat(kinds(messages()))
        .containsAll(WireChecks.kinds(Plan.Command.class, PlanReply.class));
    assertThat(kinds(commands())).containsAll(open(PlanCommand.class));
    assertThat(kinds(answers())).containsAll(SealedKinds.of(PlanAnswer.class));
    assertThat(kinds(outcomes())).containsAll(SealedKinds.of(ApplyOutcome.class));
  }

  @ParameterizedTest
  @ValueSource(classes = {Plan.Command.class, PlanCommand.class})
  void hasANameIfItMayComeFromElsewhere(Class<?> sealed) {
    var named = sealed.getAnnotation(JsonSubTypes.class).value();

    assertThat(Arrays.stream(named).<Class<?>>map(JsonSubTypes.Type::value))
        .containsExactlyInAnyOrderElementsOf(open(sealed));
  }

  /// All kinds except local ones.
  private static List<Class<?>> open(Class<?> sealed) {
    return SealedKinds.of(sealed).stream()
        .filter(kind -> !NoSerializationVerificationNeeded.class.isAssignableFrom(kind))
        .toList();
  }

  @Test
  void isNoneOfThoseThatAPlanSendsItself() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Plan.Do(new PlanCommand.Settle(), requester))
        .withMessage("Settle is a plan's own");
  }
}
