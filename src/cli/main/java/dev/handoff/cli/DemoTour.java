package dev.handoff.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.handoff.CancelHandle.CancelRequestAnswer;
import dev.handoff.JobHandle;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.internal.ask.ThreadPause;
import dev.handoff.internal.text.Durations;
import dev.handoff.json.JobRequestJson;
import dev.handoff.plan.ApplyAnswer.AlreadyApplied;
import dev.handoff.plan.ApplyAnswer.Applied;
import dev.handoff.plan.ApplyAnswer.Possible;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.ResolveAnswer.Resolved;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.SecureDirectoryStream;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/// Acts of the demo. Each act announces, runs and comments its jobs.
record DemoTour(DemoStage stage, DemoSite site) {

  /// Number of jobs submitted by all acts, without the plan's steps.
  static final int JOBS = 30;

  private static final String REQUESTS = "demo-jobs.ndjson";

  /// @return the plan
  PlanId play() throws IOException {
    var reminder = submit("the reminder").getFirst();
    thumbnails();
    mails();
    longImport();
    hangingCall();
    prints();
    invoice();
    var plan = plan();
    change(plan);
    remind(reminder);
    return plan.id();
  }

  private void thumbnails() throws IOException {
    stage.act(
        "Twelve thumbnails, six workers.",
        "A job is on disk before it is accepted, and is with one worker at a time.");
    var jobs = submit("12 thumbnails");
    long since = System.nanoTime();
    stage.ended(jobs);
    stage.done("all done after " + elapsed(since));
  }

  private void mails() throws IOException {
    stage.act(
        "Eight mails, and the server is away.",
        "What fails is tried again, later and later. Four get through with the",
        "second attempt, two with the third, and two never: three attempts are all.");
    var late = submit("4 mails");
    var later = submit("2 slow mails");
    var lost = submit("2 lost mails");
    stage.ended(late);
    stage.ended(later);
    var reason = TerminalText.brief(JobEndText.reason(stage.ended(lost).getFirst()), 60);
    stage.done("six arrived; the last word on the others: \"%s\"".formatted(reason));
  }

  private void longImport() throws IOException {
    stage.act("An import that takes half a minute, until somebody cancels it.");
    var job = submit("the import").getFirst();
    while (stage.await(job.status()).progress().isEmpty()) {
      ThreadPause.awaitAll(Duration.ofMillis(100));
    }
    stage.tell("It is on its way. A cancel is on disk before it is answered. Now:");
    long since = System.nanoTime();
    var cancel = stage.handoff.cancel(job.id(), "the file was the wrong one", "demo");
    var answer = stage.await(cancel.requested());
    stage.check(answer == CancelRequestAnswer.REQUESTED, "the cancel was answered with " + answer);
    var durable = elapsed(since);
    stage.await(job.ended());
    stage.done("on disk after %s, stopped after %s".formatted(durable, elapsed(since)));
  }

  private void hangingCall() throws IOException {
    stage.act("A call that hangs; its timeout is one second, and it has one attempt.");
    var call = requests("the call").getFirst();
    var attempt = attempt(stage.await(stage.submit(call).ended()));
    var ran = Duration.between(attempt.startedAt().orElseThrow(), attempt.endedAt());
    boolean isLate = ran.compareTo(call.timeout().orElseThrow()) >= 0;
    stage.check(isLate, "the call was stopped before its timeout");
    stage.done("stopped after " + Durations.format(ran));
  }

  private void prints() throws IOException {
    var requests = requests("6 prints");
    var priorities = requests.stream().map(print -> print.priority().orElseThrow()).toList();
    stage.act(
        "Six prints for one printer.",
        "Their queue is paused while it fills, with priorities %s.".formatted(text(priorities)),
        "Then it goes on, one print at a time.");
    var queues = stage.handoff.queues();
    stage.await(queues.pause("printer"));
    stage.await(queues.limit("printer", OptionalInt.of(1)));
    var jobs = requests.stream().map(stage::submit).toList();
    stage.await(queues.resume("printer"));
    var claimed = Comparator.comparing((JobInfo job) -> attempt(job).claimedAt());
    var printed = stage.ended(jobs).stream().sorted(claimed).toList();
    var order = printed.stream().map(JobInfo::priority).toList();
    boolean isByPriority = order.equals(List.of(6, 5, 4, 3, 2, 1));
    stage.check(isByPriority, "the prints came in the order " + text(order));
    for (int i = 1; i < printed.size(); i++) {
      var end = attempt(printed.get(i - 1)).endedAt();
      stage.check(!attempt(printed.get(i)).claimedAt().isBefore(end), "two prints ran at once");
    }
    stage.done("printed by priority: " + text(order));
  }

  private void invoice() throws IOException {
    stage.act("An invoice for tomorrow, sent twice by mistake, and taken back.");
    var first = submit("the invoice").getFirst();
    var second = submit("the invoice").getFirst();
    stage.check(first.id().equals(second.id()), "the invoice became two jobs");
    stage.tell("Same key, same content: one job. It is cancelled before it ever runs.");
    stage.handoff.cancel(first.id(), "taken back", "demo");
    stage.await(first.ended());
    stage.done("cancelled, and it never ran");
  }

  /// @return the ended plan
  PlanInfo plan() throws IOException {
    stage.act(
        "A plan: ten steps change a small site, three at a time.",
        "A step is a job, or a plan of its own, like look. What a step changes is",
        "kept together with its success, or not at all. The news fail once, and the",
        "menu waits for them.");
    long since = System.nanoTime();
    var plan = stage.handoff.plans().submitOrThrow(DemoSite.plan());
    var ended = stage.await(plan.ended(), () -> drawing(plan, since));
    stage.tell(StepTable.of(ended, stage.screen));
    var status = ended.status().label();
    stage.check(ended.status() == PlanStatus.SUCCEEDED, "the plan has " + status);
    var news = ended.steps().getFirst().info().orElseThrow().attempts().getFirst();
    stage.done(
        "%s after %s; the news failed with \"%s\""
            .formatted(status, elapsed(since), news.error().orElseThrow().message()));
    return ended;
  }

  private List<String> drawing(PlanHandle plan, long since) {
    var elapsed = Duration.ofNanos(System.nanoTime() - since);
    var seen = plan.info().toCompletableFuture().join().orElseThrow();
    return PlanTree.of(seen, stage.screen, elapsed);
  }

  /// Resolves, shows and applies the changes of the ended plan.
  void change(PlanInfo ended) throws IOException {
    stage.act(
        "What the plan comes to: a conflict, a diff, and files.",
        "Two steps have written another headline. That keeps the plan from being",
        "applied until somebody decides: for one side, or for something else.");
    var plan = stage.handoff.plans().plan(ended.id());
    resolve(plan, ended);
    var diff = stage.await(plan.diff());
    int first = (diff.text() + "\ndiff --git").indexOf("\ndiff --git");
    var begin = new PlanDiff(diff.text().substring(0, first), diff.report(), diff.conflicts());
    stage.tell("What all steps have changed, as a diff that git apply takes. It begins with:");
    stage.tell(DiffPrinter.of(begin, stage.screen));
    stage.done("in all " + DiffPrinter.counts(diff.report().counts()));
    stage.tell("Nothing is written so far. Now all of it is, or nothing, after a check:");
    apply(plan);
    stage.tell("Changesets are a chain of hashes. All of it is read again, to the last byte:");
    stage.tell(PlanVerifyCommand.text(stage.await(plan.verify()), stage.screen));
  }

  private void resolve(PlanHandle plan, PlanInfo ended) {
    var sides = ConflictSides.of(ended);
    for (var conflict : stage.await(plan.conflicts())) {
      stage.tell(
          DiffPrinter.conflict(conflict.entry(), sides).replace("; ", "\n"),
          "  ancestor  " + headline(conflict.ancestor()),
          "  ours      " + headline(conflict.ours()),
          "  theirs    " + headline(conflict.theirs()));
    }
    var both = DemoSite.index("Fresh every morning, two loaves for one").getBytes(UTF_8);
    var decided = stage.expect(Resolved.class, plan.resolve("index.html", both, "demo"));
    stage.check(decided.left().isEmpty(), "still in conflict: " + decided.left());
    stage.done("decided: " + headline(Optional.of(both)));
  }

  private static String headline(Optional<byte[]> page) {
    var text = new String(page.orElseThrow(), UTF_8);
    return text.substring(text.indexOf("<h1>"), text.indexOf("</h1>") + 5);
  }

  private void apply(PlanHandle plan) throws IOException {
    try (var listing = Files.newDirectoryStream(site.directory())) {
      if (!(listing instanceof SecureDirectoryStream)) {
        stage.tell("Not here: a safe way needs handles for directories, as Linux has them.");
        return;
      }
    }
    stage.expect(Possible.class, plan.check(site.directory()));
    var applied = stage.expect(Applied.class, plan.apply(site.directory()));
    var files = PlanText.count(applied.files().size(), "file");
    stage.done("applied %s to %s".formatted(files, applied.target()));
    stage.expect(AlreadyApplied.class, plan.apply(site.directory()));
    stage.done("applied once more, it changes nothing: all of it is there");
  }

  private void remind(JobHandle reminder) {
    stage.act("And the reminder: submitted first, to run fifteen seconds later.");
    var job = stage.await(reminder.ended());
    var late = Duration.between(job.runAt().orElseThrow(), attempt(job).claimedAt());
    stage.check(!late.isNegative(), "the reminder came too early");
    stage.done("it came %s after its time, never before".formatted(Durations.format(late)));
  }

  private static JobInfo.Attempt attempt(JobInfo job) {
    return job.attempts().getLast();
  }

  private List<JobHandle> submit(String who) throws IOException {
    return requests(who).stream().map(stage::submit).toList();
  }

  /// Jobs of the demo with this name.
  private static List<JobRequest> requests(String who) throws IOException {
    try (var file = DemoTour.class.getResourceAsStream(REQUESTS)) {
      return new String(file.readAllBytes(), UTF_8)
          .lines()
          .map(line -> JobRequestJson.read(line.getBytes(UTF_8)))
          .filter(request -> who.equals(request.labels().get("jobs")))
          .toList();
    }
  }

  static String elapsed(long since) {
    return Durations.format(Duration.ofNanos(System.nanoTime() - since));
  }

  private static String text(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
