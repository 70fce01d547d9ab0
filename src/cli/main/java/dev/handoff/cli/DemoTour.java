package dev.handoff.cli;

import dev.handoff.Backoff;
import dev.handoff.CancelHandle;
import dev.handoff.JobHandle;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.internal.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Acts of the demo. Each act announces, runs and comments its jobs. The announcements are checked
/// later against the stored data.
final class DemoTour {

  /// Number of jobs submitted by all acts, without the plan's steps.
  static final int JOBS = 30;

  private static final Duration REMINDER = Duration.ofSeconds(15);
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final List<Integer> PRIORITIES = List.of(2, 5, 1, 6, 3, 4);

  private final DemoStage stage;
  private final DemoVoice voice;
  private final Screen screen;
  private final List<DemoRole> roles = new ArrayList<>();

  DemoTour(DemoStage stage, DemoVoice voice, Screen screen) {
    this.stage = stage;
    this.voice = voice;
    this.screen = screen;
  }

  /// @param site changed by the plan
  /// @return all expectations
  DemoCast play(DemoSite site) throws InterruptedException, IOException {
    var reminder = stage.submit("reminder", JobRequest.of("echo", "drink water").delay(REMINDER));
    thumbnails();
    mails();
    longImport();
    hangingCall();
    prints();
    invoices();
    var plan = plan(site);
    reminder(reminder);
    return new DemoCast(roles, plan);
  }

  private void thumbnails() throws InterruptedException {
    voice.title("Twelve thumbnails, six workers.");
    voice.tell("A job is on disk before it is accepted, and goes to exactly one worker.");
    var names = names("thumbnail", 12);
    for (int i = 0; i < names.size(); i++) {
      stage.submit(
          names.get(i), JobRequest.of("sleep", Map.of("ms", 800 + 150 * (i % 5))).queue("images"));
    }
    long since = System.nanoTime();
    stage.awaitEnds(names);
    voice.done("all done after " + Durations.format(Duration.ofNanos(System.nanoTime() - since)));
    roles.add(
        DemoRole.of(
            "12 thumbnails",
            "succeed at once",
            names,
            JobStatus.SUCCEEDED,
            JobInfo.AttemptOutcome.SUCCEEDED));
  }

  private void mails() throws InterruptedException {
    voice.title("Eight mails, and the server is away.");
    voice.tell("What fails is tried again, later and later. Four get through with the");
    voice.tell("second attempt, two with the third, and two never: three attempts are all.");
    var second = names("mail", 4);
    var third = names("slow-mail", 2);
    var lost = names("lost-mail", 2);
    second.forEach(name -> mail(name, 1));
    third.forEach(name -> mail(name, 2));
    lost.forEach(name -> mail(name, 1_000));
    stage.awaitEnds(second);
    stage.awaitEnds(third);
    stage.awaitEnds(lost);
    voice.done(
        "six arrived; the last word on the others: \"%s\""
            .formatted(TerminalText.brief(JobEndText.reason(stage.ended(lost.getFirst())), 60)));
    roles.add(
        DemoRole.of(
            "4 mails",
            "fail once, then succeed",
            second,
            JobStatus.SUCCEEDED,
            JobInfo.AttemptOutcome.FAILED,
            JobInfo.AttemptOutcome.SUCCEEDED));
    roles.add(
        DemoRole.of(
            "2 slow mails",
            "fail twice, then succeed",
            third,
            JobStatus.SUCCEEDED,
            JobInfo.AttemptOutcome.FAILED,
            JobInfo.AttemptOutcome.FAILED,
            JobInfo.AttemptOutcome.SUCCEEDED));
    roles.add(
        DemoRole.of(
            "2 lost mails",
            "fail for good",
            lost,
            JobStatus.FAILED,
            JobInfo.AttemptOutcome.FAILED,
            JobInfo.AttemptOutcome.FAILED,
            JobInfo.AttemptOutcome.FAILED));
  }

  private void mail(String name, int failures) {
    var payload = Map.of("message", "mail.example refuses", "times", failures);
    var backoff = Backoff.exponential(Duration.ofMillis(1_000), 1.5, Duration.ofSeconds(5), 0.1);
    stage.submit(name, JobRequest.of("fail", payload).queue("mail").backoff(backoff));
  }

  private void longImport() throws InterruptedException {
    voice.title("An import that takes half a minute, until somebody cancels it.");
    var handle =
        stage.submit("import", JobRequest.of("sleep", Map.of("duration", "30s")).queue("imports"));
    awaitProgress(handle);
    voice.tell("It is on its way. A cancel is on disk before it is answered. Now:");
    long since = System.nanoTime();
    var cancelling = stage.handoff().cancel(handle.id(), "the file was the wrong one", "demo");
    boolean requested =
        cancelling.requested().toCompletableFuture().join()
            == CancelHandle.CancelRequestAnswer.REQUESTED;
    var durable = Duration.ofNanos(System.nanoTime() - since);
    stage.awaitEnds(List.of("import"));
    voice.check(requested, "the cancel of the import was answered with something else");
    voice.done(
        "on disk after %s, stopped after %s"
            .formatted(
                Durations.format(durable),
                Durations.format(Duration.ofNanos(System.nanoTime() - since))));
    roles.add(
        DemoRole.of(
            "the import",
            "be cancelled while it runs",
            List.of("import"),
            JobStatus.CANCELLED,
            JobInfo.AttemptOutcome.CANCELLED));
  }

  private void hangingCall() throws InterruptedException {
    voice.title("A call that hangs; its timeout is one second, and it has one attempt.");
    var request =
        JobRequest.of("sleep", Map.of("duration", "60s"))
            .queue("calls")
            .timeout(TIMEOUT)
            .maxAttempts(1);
    stage.submit("call", request);
    stage.awaitEnds(List.of("call"));
    var attempt = attempt("call");
    var ran = Duration.between(attempt.startedAt().orElseThrow(), attempt.endedAt());
    voice.check(ran.compareTo(TIMEOUT) >= 0, "the call was stopped before its timeout");
    voice.done("stopped after " + Durations.format(ran));
    roles.add(
        DemoRole.of(
            "the call",
            "be stopped by its timeout",
            List.of("call"),
            JobStatus.FAILED,
            JobInfo.AttemptOutcome.TIMED_OUT));
  }

  private void prints() throws InterruptedException {
    voice.title("Six prints for one printer.");
    voice.tell(
        "Their queue is paused while it fills, with priorities %s.".formatted(numbers(PRIORITIES)));
    voice.tell("Then it goes on, one print at a time.");
    var queues = stage.handoff().queues();
    queues.pause("printer").toCompletableFuture().join();
    queues.limit("printer", OptionalInt.of(1)).toCompletableFuture().join();
    PRIORITIES.forEach(
        priority ->
            stage.submit(
                "print-" + priority,
                JobRequest.of("sleep", Map.of("ms", 300)).queue("printer").priority(priority)));
    queues.resume("printer").toCompletableFuture().join();
    var names = PRIORITIES.stream().map(priority -> "print-" + priority).toList();
    stage.awaitEnds(names);
    var order =
        names.stream()
            .sorted(Comparator.comparing(name -> attempt(name).claimedAt()))
            .map(name -> stage.ended(name).priority())
            .toList();
    voice.check(
        order.equals(PRIORITIES.stream().sorted(Comparator.reverseOrder()).toList()),
        "the prints came in the order " + numbers(order));
    voice.check(oneAtATime(names), "two prints ran at once");
    voice.done("printed by priority: " + numbers(order));
    roles.add(
        DemoRole.of(
            "6 prints",
            "go by priority, one by one",
            names,
            JobStatus.SUCCEEDED,
            JobInfo.AttemptOutcome.SUCCEEDED));
  }

  private void invoices() throws InterruptedException {
    voice.title("An invoice for tomorrow, sent twice by mistake, and taken back.");
    var request =
        JobRequest.of("echo", Map.of("invoice", 4711)).queue("invoices").delay(Duration.ofDays(1));
    var first = stage.submit("invoice", request);
    var second = stage.submit("invoice", request);
    voice.check(first.id().equals(second.id()), "the invoice became two jobs");
    voice.tell("Same key, same content: one job. It is cancelled before it ever runs.");
    stage.handoff().cancel(first.id(), "taken back", "demo").ended().toCompletableFuture().join();
    stage.awaitEnds(List.of("invoice"));
    voice.done("cancelled, and it never ran");
    roles.add(
        DemoRole.of(
            "the invoice", "be cancelled before it runs", List.of("invoice"), JobStatus.CANCELLED));
  }

  private DemoPlanRole plan(DemoSite site) throws InterruptedException, IOException {
    var ended = new DemoPlan(stage, voice, screen).play();
    roles.addAll(DemoPlan.roles());
    return new DemoChanges(stage, voice, screen, site).play(ended);
  }

  private void reminder(JobHandle handle) throws InterruptedException {
    voice.title("And the reminder: submitted first, to run fifteen seconds later.");
    stage.awaitEnds(List.of("reminder"));
    var job = stage.ended("reminder");
    var late = Duration.between(due(job), attempt("reminder").claimedAt());
    voice.check(!late.isNegative(), "the reminder came too early");
    voice.done("it came %s after its time, never before".formatted(Durations.format(late)));
    roles.addFirst(
        DemoRole.of(
            "the reminder",
            "run when it is due",
            List.of("reminder"),
            JobStatus.SUCCEEDED,
            JobInfo.AttemptOutcome.SUCCEEDED));
  }

  /// Waits until the job reports progress.
  private void awaitProgress(JobHandle handle) throws InterruptedException {
    stage.until(
        () -> {
          var progress = handle.status().toCompletableFuture().join().progress();
          return progress.filter(said -> said.fraction() > 0).isPresent();
        });
  }

  private boolean oneAtATime(List<String> names) {
    var attempts =
        names.stream()
            .map(this::attempt)
            .sorted(Comparator.comparing(JobInfo.Attempt::claimedAt))
            .toList();
    return IntStream.range(1, attempts.size())
        .noneMatch(i -> attempts.get(i).claimedAt().isBefore(attempts.get(i - 1).endedAt()));
  }

  private JobInfo.Attempt attempt(String name) {
    return stage.ended(name).attempts().getLast();
  }

  private static Instant due(JobInfo job) {
    return job.runAt().orElseThrow();
  }

  private static List<String> names(String what, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(number -> what + "-" + number).toList();
  }

  private static String numbers(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
