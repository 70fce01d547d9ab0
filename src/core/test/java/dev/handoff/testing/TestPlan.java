package dev.handoff.testing;

import dev.handoff.Backoff;
import dev.handoff.Handoff;
import dev.handoff.JobId;
import dev.handoff.JobRequest;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.facade.JobSpecs;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanCommand;
import dev.handoff.internal.plan.PlanDraft;
import dev.handoff.internal.plan.PlanEnvelope;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.internal.plan.change.StoreContents;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Plan of a test, submitted through the engine's gateway.
public record TestPlan(Handoff handoff, PlanId id) {

  public static TestPlan submit(Handoff handoff, PlanDraft.Step... steps) {
    var reply = TestPlan.<PlanReply>ask(handoff, to -> new Gateway.SubmitPlan(draft(steps), to));
    return new TestPlan(handoff, ((PlanReply.Accepted) reply).plan());
  }

  public static PlanDraft draft(PlanDraft.Step... steps) {
    return new PlanDraft("plan", PlanDraft.DEFAULT_PARALLEL, false, null, List.of(steps));
  }

  /// Step with a job that is retried without delay.
  public static PlanDraft.Step step(Handoff handoff, String name, JobRequest job, String... after) {
    var submissions = EngineHooks.running(handoff).submissions();
    var spec =
        JobSpecs.of(job.backoff(Backoff.none()), submissions.clock().instant(), submissions.json());
    return PlanDraft.Step.job(name, List.of(after), spec);
  }

  public static PlanDraft.Step child(String name, List<String> after, PlanDraft.Step... steps) {
    return PlanDraft.Step.plan(name, after, draft(steps));
  }

  public TestPlan of(PlanId other) {
    return new TestPlan(handoff, other);
  }

  public PlanState state() {
    return current(Plan.Get::new);
  }

  public PlanState ended() {
    return current(Plan.Watch::new);
  }

  public PlanReply tell(PlanCommand command) {
    return ask(
        handoff, to -> new Gateway.RoutePlan(new PlanEnvelope(id, new Plan.Do(command, to))));
  }

  private PlanState current(Function<ActorRef<PlanReply>, Plan.Command> question) {
    var reply =
        TestPlan.<PlanReply>ask(
            handoff, to -> new Gateway.RoutePlan(new PlanEnvelope(id, question.apply(to))));
    return ((PlanReply.Current) reply).state();
  }

  /// Current state of a step's job.
  public JobState job(String step) {
    return JobStates.of(handoff, jobId(step));
  }

  public JobId jobId(String step) {
    return state().spec().steps().stream()
        .filter(one -> one.name().equals(step))
        .findFirst()
        .orElseThrow()
        .job();
  }

  /// Committed changesets in order.
  public List<Changeset> chain() {
    return state().book().chain();
  }

  public SetBody body(Changeset set) {
    try {
      return BodyCodec.decode(bytes(set.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Committed changes in words: `a.txt: none -> text`.
  public List<String> changes() {
    return chain().stream()
        .flatMap(set -> body(set).entries().stream())
        .map(entry -> entry.path() + ": " + text(entry.before()) + " -> " + text(entry.after()))
        .toList();
  }

  public List<String> decisions() {
    return chain().stream()
        .flatMap(set -> body(set).decisions().stream())
        .map(decided -> decided.text())
        .toList();
  }

  public String text(@Nullable ContentRef content) {
    return content == null ? "none" : new String(bytes(content.sha256()), StandardCharsets.UTF_8);
  }

  private byte[] bytes(String sha256) {
    return new StoreContents(EngineHooks.running(handoff).store())
        .read(List.of(sha256))
        .get(sha256);
  }

  static <R> R ask(Handoff handoff, Function<ActorRef<R>, Gateway.Command> message) {
    var inside = EngineHooks.running(handoff);
    return BoundedWaits.get(
        inside
            .calls()
            .<Gateway.Command, R>ask(inside.doors().gateway(), message, Duration.ofSeconds(60)));
  }
}
