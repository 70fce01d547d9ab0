package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.CancelHandle;
import dev.handoff.CancelHandle.CancelRequestAnswer;
import dev.handoff.CancelReport;
import dev.handoff.Health;
import dev.handoff.JobError;
import dev.handoff.JobEvent;
import dev.handoff.JobId;
import dev.handoff.JobPage;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.QueueInfo;
import dev.handoff.RetryAnswer;
import dev.handoff.Submission;
import dev.handoff.internal.facade.plan.EnginePlans;
import dev.handoff.json.NamedAnswer;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanCancelHandle;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanPage;
import dev.handoff.plan.PlanRetryAnswer;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.PlanSubmission;
import dev.handoff.plan.ResolveAnswer;
import dev.handoff.testing.JacksonMappers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An answer as JSON")
class AnswerJsonTest {

  private static final String JOB = "01M7QA29F8201SE11P2AY4J500";
  private static final String PLAN = "01M7QA29F8201SE11P2AY4J501";
  private static final JobId JOB_ID = new JobId(JOB);
  private static final PlanId PLAN_ID = new PlanId(PLAN);
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private static final List<Class<?>> ANSWERS =
      List.of(
          Outcome.class,
          PlanOutcome.class,
          CancelReport.class,
          PlanCancelReport.class,
          RetryAnswer.class,
          PlanRetryAnswer.class,
          Submission.class,
          PlanSubmission.class,
          ApplyAnswer.class,
          ChangeAnswer.class,
          ChangesetAnswer.class,
          ResolveAnswer.class,
          ChainVerdict.class);

  /// JSON with single quotes, and the value that it represents.
  private static Map<String, Object> readable() {
    return Map.ofEntries(
        Map.entry(
            "{'outcome':'succeeded','value':{'file':'a.png'}}",
            new Outcome.Succeeded(Json.of("{\"file\":\"a.png\"}"))),
        Map.entry("{'outcome':'succeeded','value':null}", new Outcome.Succeeded(Json.NULL)),
        Map.entry(
            "{'outcome':'failed','error':{'type':'E','message':'no','stack':'at a'}}",
            new Outcome.Failed(new JobError("E", "no", "at a"))),
        Map.entry(
            "{'outcome':'cancelled','reason':'no use','abandoned':true}",
            new Outcome.Cancelled("no use", true)),
        Map.entry(
            "{'outcome':'cancelled','job':'%s','discarded':false,'unanswered':['%s']}"
                .formatted(JOB, JOB),
            new CancelReport.Cancelled(JOB_ID, false, List.of(JOB_ID))),
        Map.entry(
            "{'outcome':'already','job':'%s','status':'succeeded'}".formatted(JOB),
            new CancelReport.Already(JOB_ID, JobStatus.SUCCEEDED)),
        Map.entry(
            "{'outcome':'not-possible','job':'%s','status':'running'}".formatted(JOB),
            new RetryAnswer.NotPossible(JOB_ID, JobStatus.RUNNING)),
        Map.entry(
            "{'outcome':'not-kept','job':'%s'}".formatted(JOB), new RetryAnswer.NotKept(JOB_ID)),
        Map.entry(
            "{'outcome':'key-conflict','key':'k','holder':'%s'}".formatted(JOB),
            new Submission.KeyConflict("k", JOB_ID)),
        Map.entry(
            "{'outcome':'unknown-type','type':'x','known':['y']}",
            new Submission.UnknownType("x", Set.of("y"))),
        Map.entry(
            "{'outcome':'unavailable','reason':'away','retryAfter':'PT1.5S'}",
            new Submission.Unavailable("away", Duration.ofMillis(1500))),
        Map.entry(
            "{'outcome':'invalid','problems':['p']}", new PlanSubmission.Invalid(List.of("p"))),
        Map.entry(
            "{'outcome':'failed','plan':'%s','reason':'r','failures':{'a':'no'}}".formatted(PLAN),
            new PlanOutcome.Failed(PLAN_ID, "r", Map.of("a", "no"))),
        Map.entry(
            "{'outcome':'already','plan':'%s','status':'failing'}".formatted(PLAN),
            new PlanCancelReport.Already(PLAN_ID, PlanStatus.FAILING)),
        Map.entry(
            "{'outcome':'not-found','plan':'%s'}".formatted(PLAN),
            new PlanRetryAnswer.NotFound(PLAN_ID)),
        Map.entry(
            "{'outcome':'possible','target':'/t','files':[{'path':'a','what':'created','bytes':3}]}",
            new ApplyAnswer.Possible("/t", List.of(new ApplyAnswer.File("a", "created", 3)))),
        Map.entry(
            ("{'outcome':'already-applied','target':'/t','apply':"
                + "{'target':'/t','changesets':2,'files':3,'at':'2030-01-01T00:00:00Z'}}"),
            new ApplyAnswer.AlreadyApplied(
                "/t", Optional.of(new PlanInfo.Applied("/t", 2, 3, NOW)))),
        Map.entry("{'outcome':'nothing-to-apply'}", new ApplyAnswer.NothingToApply()),
        Map.entry(
            "{'outcome':'recorded','changeset':'c1','entries':2}",
            new ChangeAnswer.Recorded("c1", 2)),
        Map.entry("{'outcome':'done','changeset':'c1'}", new ChangesetAnswer.Done("c1")),
        Map.entry(
            "{'outcome':'resolved','path':'a','left':[]}",
            new ResolveAnswer.Resolved("a", List.of())),
        Map.entry(
            "{'outcome':'intact','sets':1,'entries':2,'contents':3,'head':'h'}",
            new ChainVerdict.Intact(1, 2, 3, "h")),
        Map.entry(
            "{'name':'mail','paused':true,'queued':1,'scheduled':2,'running':3,'maxRunning':4}",
            new QueueInfo("mail", true, 1, 2, 3, OptionalInt.of(4))),
        Map.entry(
            "{'ready':true,'problems':['slow'],'workers':3,'busy':2,'abandoned':1,'degraded':true}",
            new Health(true, List.of("slow"), 3, 2, 1)),
        Map.entry(
            ("{'number':7,'name':'claimed','job':'%s','type':'t','queue':'q','status':'claimed',"
                    + "'attempt':1,'at':'2030-01-01T00:00:00Z','detail':null,'last':false}")
                .formatted(JOB),
            new JobEvent(7, "claimed", JOB_ID, "t", "q", JobStatus.CLAIMED, 1, NOW, null)),
        Map.entry(
            ("{'plans':[{'id':'%s','name':'n','status':'running','steps':3,'done':1,'changes':0,"
                    + "'createdAt':'2030-01-01T00:00:00Z','finishedAt':null}],'next':'%s'}")
                .formatted(PLAN, PLAN),
            new PlanPage(
                List.of(
                    new PlanPage.Overview(
                        PLAN_ID, "n", PlanStatus.RUNNING, 3, 1, 0, NOW, Optional.empty())),
                Optional.of(PLAN))),
        Map.entry("{'jobs':[],'next':null}", new JobPage(List.of(), Optional.empty())),
        Map.entry("'already-finished'", CancelRequestAnswer.ALREADY_FINISHED));
  }

  @ParameterizedTest
  @EnumSource
  void saysWhichItIs(JacksonMappers mapper) {
    readable()
        .forEach((json, answer) -> assertThat(tree(mapper.write(answer))).isEqualTo(quoted(json)));
  }

  /// Also where the mapper does not know the static type: in a map, a list, or a field of any type.
  @ParameterizedTest
  @EnumSource
  void saysItEverywhere(JacksonMappers mapper) {
    readable()
        .forEach(
            (json, answer) -> {
              assertThat(tree(mapper.write(Map.of("a", answer))))
                  .isEqualTo(quoted("{'a':" + json + "}"));
              assertThat(tree(mapper.write(List.of(answer)))).isEqualTo(quoted("[" + json + "]"));
              assertThat(tree(mapper.writeByTree(answer))).isEqualTo(quoted(json));
            });
  }

  @ParameterizedTest
  @EnumSource
  void isReadBack(JacksonMappers mapper) {
    readable()
        .forEach(
            (json, answer) -> {
              var type = answer instanceof NamedAnswer ? sealed(answer) : answer.getClass();
              assertThat((Object) mapper.read(mapper.write(answer), type)).isEqualTo(answer);
            });
  }

  private static Class<?> sealed(Object answer) {
    return answer.getClass().getInterfaces()[0];
  }

  @ParameterizedTest
  @EnumSource
  void showsAHandleAsItsId(JacksonMappers mapper) {
    var job = new EngineJobHandle(JOB_ID, null);
    var plan = new EnginePlans(null).plan(PLAN_ID);

    assertThat(
            Stream.of(
                new Submission.Accepted(job),
                new Submission.Existing(job),
                new RetryAnswer.Reopened(job)))
        .allSatisfy(
            answer ->
                assertThat(tree(mapper.write(answer)))
                    .isEqualTo(
                        quoted("{'outcome':'%s','job':'%s'}".formatted(answer.outcome(), JOB))));
    assertThat(Stream.of(new PlanSubmission.Accepted(plan), new PlanRetryAnswer.Reopened(plan)))
        .allSatisfy(
            answer ->
                assertThat(tree(mapper.write(answer)))
                    .isEqualTo(
                        quoted("{'outcome':'%s','plan':'%s'}".formatted(answer.outcome(), PLAN))));
    assertThat(tree(mapper.write(Map.of("job", job)))).isEqualTo(quoted("{'job':'" + JOB + "'}"));
  }

  /// The JSON must not show the answer's stages.
  @ParameterizedTest
  @EnumSource
  void showsACancelOnItsWayAsTheIdOfWhatItEnds(JacksonMappers mapper) {
    var job = new CancelHandle(JOB_ID, new CompletableFuture<>(), new CompletableFuture<>());
    var plan = new PlanCancelHandle(PLAN_ID, new CompletableFuture<>(), new CompletableFuture<>());

    assertThat(tree(mapper.write(Map.of("job", job, "plan", plan))))
        .isEqualTo(quoted("{'job':'%s','plan':'%s'}".formatted(JOB, PLAN)));
    assertThat(tree(mapper.writeByTree(job))).isEqualTo(quoted("'" + JOB + "'"));
  }

  @Test
  void standsInThePageOfJavaAsItIsWritten() throws IOException {
    var page = Files.readString(Path.of("docs", "java.md"));

    assertThat(page.split("```json\n")[1].split("```")[0].lines())
        .containsExactlyElementsOf(
            Stream.of(
                    new Submission.Accepted(new EngineJobHandle(JOB_ID, null)),
                    new Submission.KeyConflict("a.png", JOB_ID),
                    new Outcome.Succeeded(Json.of("{\"width\":320}")))
                .map(JacksonMappers.JACKSON_2::write)
                .toList());
  }

  @Test
  void hasANameInEachCase() {
    for (var answer : ANSWERS) {
      var listed = new ArrayList<Class<?>>();
      var names = new ArrayList<String>();
      for (var one : answer.getAnnotation(JsonSubTypes.class).value()) {
        listed.add(one.value());
        names.add(one.name());
      }
      assertThat(listed).containsExactlyInAnyOrder(answer.getPermittedSubclasses());
      assertThat(names)
          .doesNotHaveDuplicates()
          .isEqualTo(listed.stream().map(AnswerJsonTest::hyphened).toList());
    }
  }

  @Test
  void isOneOfThoseThatSayIt() {
    assertThat(ANSWERS).allMatch(NamedAnswer.class::isAssignableFrom);
  }

  private static String hyphened(Class<?> type) {
    return type.getSimpleName().replaceAll("(?<!^)(?=[A-Z])", "-").toLowerCase();
  }

  private static Object tree(String json) {
    return JacksonMappers.tree(json);
  }

  private static Object quoted(String json) {
    return JacksonMappers.tree(json.replace('\'', '"'));
  }
}
