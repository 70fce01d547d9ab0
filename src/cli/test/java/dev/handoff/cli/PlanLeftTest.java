package dev.handoff.cli;

import static dev.handoff.plan.PlanRequest.after;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.plan.Change;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A plan that was left behind")
@DisabledOnOs(OS.WINDOWS)
class PlanLeftTest {

  /// Plan whose program ends only at the second SIGTERM, or when the gate file exists, or when its
  /// directory is gone.
  private static final String STUBBORN =
      """
      name: stubborn
      steps:
        - {name: wait, type: exec, payload: {argv: [sh, -c,
            "trap 'test ! -e asked || exit 1; echo >> asked' TERM; echo >> started;
            while test -e started -a ! -e gate; do sleep 0.05; done"], dir: %s}}
        - {name: then, type: noop, after: wait}
      """;

  /// Step with a program, and further fields of its payload.
  private static final String STEP = "{name: %s, type: exec, payload: {argv: [sh, -c, \"%s\"]%s}},";

  @TempDir Path dir;

  private String data() {
    return dir.resolve("data").toString();
  }

  private CliHarness.Ran plan(String... args) {
    var all = new ArrayList<>(List.of("plan"));
    all.addAll(List.of(args));
    all.addAll(List.of("--data", data()));
    return CliHarness.run(all.toArray(String[]::new));
  }

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("plan.yaml"), text);
  }

  private Handoff engine(int workers) {
    return Handoff.builder()
        .directory(Path.of(data()))
        .workers(workers)
        .handler("noop", Object.class, (payload, job) -> null)
        .start();
  }

  /// Plan whose only step has ended, with an open changeset.
  private PlanHandle openPlan(Handoff handoff) {
    var request = PlanRequest.of("open").step("a", JobRequest.of("noop", "x"));
    var plan = handoff.plans().submitOrThrow(request);
    var set = plan.startChangeset("by hand", "an\u001bna").toCompletableFuture().join().orThrow();
    plan.record(set, Change.create("a.txt", "one\n")).toCompletableFuture().join().orThrow();
    return plan;
  }

  @Test
  void withAnOpenChangesetSaysSoAndEndsWithIt() {
    String id;
    try (var handoff = engine(0)) {
      id = openPlan(handoff).id().value();
    }

    var retried = plan("retry", id);

    assertThat(retried.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(retried.out())
        .contains("all of its steps have ended, but 1 changeset is open")
        .contains("c1 ", "1 change, by an\\u001bna  by hand")
        .contains("handoff plan close %s c1 --data %s\n".formatted(id, data()))
        .contains("handoff plan discard %s c1 --data %s\n".formatted(id, data()));
    assertThat(plan("close", id, "c2").exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    var closed = plan("close", id, "c1");
    assertThat(closed.exitCode()).as(closed.err()).isZero();
    assertThat(closed.out())
        .isEqualTo("changeset c1 is closed\nplan %s has succeeded\n".formatted(id));
    assertThat(plan("diff", id).out()).contains("+one");
    var late = plan("discard", id, "c1");
    assertThat(late.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(late.err()).contains("is not open any more: it was closed");
  }

  @Test
  void mayHaveItsOpenChangesetDropped() throws IOException {
    String id;
    try (var handoff = engine(0)) {
      id = openPlan(handoff).id().value();
    }

    var dropped = plan("discard", id, "c1", "--json");

    var json = new ObjectMapper().readTree(dropped.out());
    assertThat(json.get("outcome").asText()).isEqualTo("discarded");
    assertThat(json.get("open")).isEmpty();
    assertThat(plan("diff", id).out()).isEmpty();
    assertThat(plan("retry", id).exitCode()).isZero();
  }

  @Test
  void isWorkedOffByTheNextRunWhichSaysSo() throws IOException {
    String id;
    try (var handoff = engine(0)) {
      handoff.submitOrThrow(JobRequest.of("noop", "x"));
      id =
          handoff
              .plans()
              .submitOrThrow(PlanRequest.of("left").step("a", JobRequest.of("noop", "x")))
              .id()
              .value();
    }

    var ran = plan("run", file("{name: p, steps: [{name: a, type: noop}]}").toString());

    assertThat(ran.err())
        .contains(
            "also runs the unfinished work of earlier runs in this store: 1 plan (%s) and 1 job"
                .formatted(id));
  }

  /// The next run starts the left-over steps, and must not cancel them when it ends.
  @Test
  void isWorkedOffToItsEndByTheNextRun() throws IOException {
    var step = JobRequest.of("exec", Map.of("argv", List.of("sleep", "0.3"))).maxAttempts(1);
    String id;
    try (var handoff =
        Handoff.builder()
            .directory(Path.of(data()))
            .workers(0)
            .handler("exec", Object.class, (payload, job) -> null)
            .start()) {
      var left =
          PlanRequest.of("left")
              .step("a", step)
              .step("b", step, after("a"))
              .step("c", step, after("b"));
      id = handoff.plans().submitOrThrow(left).id().value();
    }

    var file = file("{name: p, steps: [{name: a, type: noop}]}").toString();
    var ran = plan("run", file, "--allow-exec");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err()).contains("1 other job of this store is under way; Ctrl-C leaves it");
    assertThat(plan("show", id).out()).contains("succeeded").doesNotContain("running", "failed");
  }

  @Test
  void isLeftByCtrlCWhileItIsWorkedOff() throws Exception {
    var patient =
        """
        {name: left, steps: [{name: wait, type: exec, payload: {argv: [sh, -c, "%s"], dir: %s}}]}
        """;
    var wait = "echo >> started; while test -e started -a ! -e gate; do sleep 0.05; done";
    var first = file(patient.formatted(wait, dir)).toString();
    var before = ProgramProcess.start(dir, "plan", "run", first, "--data", data(), "--allow-exec");
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 1);
    before.signal("KILL");
    before.exitCode();

    var file = file("{name: p, steps: [{name: a, type: noop}]}").toString();
    var run = ProgramProcess.start(dir, "plan", "run", file, "--data", data(), "--allow-exec");
    ProgramProcess.await(() -> said(run).contains("1 other job of this store is under way"));
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 2);
    run.signal("INT");
    ProgramProcess.await(() -> said(run).contains("stopping: running jobs may end first"));
    Files.createFile(dir.resolve("gate"));

    assertThat(run.exitCode()).isZero();
    assertThat(run.said()).contains("succeeded");
  }

  @Test
  void thatIsTerminatedSaysWhatHasEndedSince() throws Exception {
    var patient =
        """
        name: patient
        steps:
          - {name: wait, type: exec, payload: {argv: [sh, -c,
              "echo >> started; until test -e gate; do sleep 0.05; done"], dir: %s}}
          - {name: then, type: noop, after: wait}
        """;
    var file = file(patient.formatted(dir)).toString();
    var run = ProgramProcess.start(dir, "plan", "run", file, "--data", data(), "--allow-exec");
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 1);
    run.signal("TERM");
    ProgramProcess.await(() -> said(run).contains("running steps may end first"));

    Files.createFile(dir.resolve("gate"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.TERMINATED);
    assertThat(run.said()).contains("1 of 2 steps succeeded");
  }

  @Test
  void inTheMiddleOfItsCancelIsGoneOnWithInOneGo() throws Exception {
    var id = leftCancelling();

    var shown = plan("show", id);
    Files.createFile(dir.resolve("gate"));
    var retried = plan("retry", id, "--allow-exec");

    assertThat(shown.out())
        .contains("cancelling, but no engine runs it now (to go on: handoff plan retry");
    assertThat(retried.exitCode()).as(retried.out() + retried.err()).isZero();
    assertThat(retried.out()).contains("2 of 2 steps succeeded");
  }

  @Test
  void inTheMiddleOfItsCancelIsCancelledWithAReport() throws Exception {
    var id = leftCancelling();

    var cancelled = plan("cancel", id);

    assertThat(cancelled.exitCode()).isZero();
    assertThat(cancelled.out())
        .contains("plan %s is cancelled".formatted(id), "never ran: then")
        .containsPattern("(may still run|stopped): wait")
        .contains("handoff plan retry %s --data %s --allow-exec".formatted(id, data()));
    assertThat(plan("cancel", id).out()).contains("has been cancelled already");
  }

  @Test
  void isLeftAtOnceAlsoWhileNothingOfItIsShownYet() throws Exception {
    var retry = retryOfOneThatIsStopping();
    while (retry.process().isAlive()) {
      new ProcessBuilder("kill", "-INT", Long.toString(retry.process().pid())).start().waitFor();
    }

    assertThat(retry.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(said(retry))
        .contains("stopped at once", "handoff plan retry ")
        .doesNotContain("plan was begun");
  }

  @Test
  void isNotBegunAgainWhereThatIsStoppedWhileItsCancelIsFinished() throws Exception {
    var retry = retryOfOneThatIsStopping();

    retry.signal("INT");

    assertThat(retry.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(said(retry))
        .contains("stopping as soon as the engine is up; another Ctrl-C stops at once")
        .contains("stopped by SIGINT before the plan was begun", "handoff plan retry ");
    assertThat(ProgramProcess.linesOf(dir.resolve("started"))).isEqualTo(1);
    assertThat(plan("list").out()).contains("cancelled");
  }

  private ProgramProcess retryOfOneThatIsStopping() throws Exception {
    var retry =
        ProgramProcess.start(
            dir, "plan", "retry", leftCancelling(), "--data", data(), "--allow-exec");
    ProgramProcess.await(() -> said(retry).contains("the stop is completed first"));
    return retry;
  }

  /// The process is suspended while the signal is sent, so that it cannot finish first.
  @Test
  void isAppliedAsAWholeOrNotAtAllWhenThatIsStopped() throws Exception {
    var many = "i=0; while [ $i -lt 3000 ]; do echo $i > f$i; i=$((i+1)); done";
    var file =
        file("{name: many, steps: [" + STEP.formatted("write", many, ", capture: {}") + "]}");
    assertThat(plan("run", file.toString(), "--allow-exec").exitCode()).isZero();
    var id = plan("list").out().lines().skip(1).findFirst().orElseThrow().substring(0, 26);
    var out = Files.createDirectory(dir.resolve("out"));

    var apply =
        ProgramProcess.start(dir, "plan", "apply", id, "--to", out.toString(), "--data", data());
    ProgramProcess.await(() -> filesIn(out) > 0);
    apply.signal("STOP");
    apply.signal("INT");
    apply.signal("CONT");

    assertThat(apply.exitCode()).as(said(apply)).isEqualTo(ExitCode.INTERRUPTED);
    boolean isUndone = filesIn(out) == 0;
    assertThat(filesIn(out)).isIn(0L, 3_000L);
    assertThat(said(apply))
        .contains("stopping: ", isUndone ? "nothing of it was applied" : "all of it was applied")
        .contains("handoff plan %s %s ".formatted(isUndone ? "apply" : "show", id));
  }

  private static long filesIn(Path directory) {
    try (var entries = Files.list(directory)) {
      return entries.count();
    } catch (IOException beingWritten) {
      return 0;
    }
  }

  /// At most the allowed number of programs is claimed. The other jobs wait in the queue, where no
  /// time-out runs.
  @Test
  void hasNoMoreOfItsProgramsClaimedThanMayRun() throws Exception {
    var steps =
        IntStream.range(0, 40)
            .mapToObj(n -> STEP.formatted("s" + n, "echo >> started; exec sleep 100", ""))
            .collect(Collectors.joining());
    var half = "plan: {name: half, maxParallel: 50, steps: [" + steps + "]}}";
    var file = file("{name: all, steps: [{name: a, " + half + ", {name: b, " + half + "]}");
    var run =
        ProgramProcess.start(
            dir, "plan", "run", file.toString(), "--data", data(), "--allow-exec", "--json");
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 64);

    run.signal("INT");

    assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    var cancel = new ObjectMapper().readTree(run.said()).get("cancel");
    assertThat(cancel.get("neverRan")).as(run.said()).isNotEmpty();
  }

  private String leftCancelling() throws Exception {
    var file = file(STUBBORN.formatted(dir)).toString();
    var run = ProgramProcess.start(dir, "plan", "run", file, "--data", data(), "--allow-exec");
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 1);
    ProgramProcess.await(() -> said(run).startsWith("plan "));
    run.signal("INT");
    ProgramProcess.await(() -> said(run).contains("cancelling the plan"));
    ProgramProcess.await(() -> logHas("stopped by Ctrl-C"));
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("asked")) == 1);
    run.signal("INT");
    assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    var id = said(run).lines().findFirst().orElseThrow().replace("plan ", "");
    assertThat(said(run))
        .contains("stopped at once")
        .contains("handoff plan retry %s --data %s --allow-exec".formatted(id, data()));
    return id;
  }

  /// Whether the store's log contains a text.
  private boolean logHas(String text) {
    try {
      var log = Files.readAllBytes(dir.resolve("data/handoff.db-wal"));
      return new String(log, StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException beingWritten) {
      return false;
    }
  }

  private static String said(ProgramProcess run) {
    try {
      return run.complained();
    } catch (IOException unread) {
      return "";
    }
  }
}
