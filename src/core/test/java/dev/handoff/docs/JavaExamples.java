package dev.handoff.docs;

import dev.handoff.Backoff;
import dev.handoff.CancelReport;
import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobFilter;
import dev.handoff.JobHandle;
import dev.handoff.JobHandler;
import dev.handoff.JobPage;
import dev.handoff.JobRequest;
import dev.handoff.Outcome;
import dev.handoff.RetryAnswer;
import dev.handoff.RetryRule;
import dev.handoff.Submission;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.stream.javadsl.Source;

/// Examples quoted in `docs/java.md`.
public final class JavaExamples {

  private JavaExamples() {}

  // #submit
  static String submit(Handoff handoff, JobRequest request) {
    return switch (handoff.submit(request).toCompletableFuture().join()) {
      case Submission.Accepted(var handle) -> "accepted: " + handle.id();
      case Submission.Existing(var handle) -> "was there already: " + handle.id();
      case Submission.KeyConflict(var key, var holder) -> key + " belongs to " + holder;
      case Submission.UnknownType(var type, var known) -> "no handler for " + type + ": " + known;
      case Submission.Invalid(var problems) -> "refused: " + problems;
      case Submission.Refused(var reason) -> "refused: " + reason;
      case Submission.Unavailable(var reason, var after) -> "not now, try again in " + after;
    };
  }

  // #submit

  // #many
  static CompletionStage<Done> submitMany(Handoff handoff, List<String> files) {
    return Source.from(files)
        .map(file -> JobRequest.of("import", file).key(file))
        .via(handoff.submitAll())
        .runForeach(accepted -> System.out.println(accepted.handle()), handoff.materializer());
  }

  // #many

  // #handler
  static int importAll(List<String> lines, JobContext job) {
    int done = job.checkpoint(Integer.class).orElse(0);
    while (done < lines.size()) {
      job.cancellation().throwIfCancelled();
      // … one line
      done++;
      job.progress((double) done / lines.size(), done + " lines");
      job.checkpoint(done).toCompletableFuture().join();
    }
    return done;
  }

  // #handler

  // #later
  static Object report(String url, JobContext job) {
    var report = fetch(url);
    if (report.isEmpty()) {
      job.later(Duration.ofMinutes(5));
      return null;
    }
    return report.get();
  }

  // #later

  // #attempt
  static String pay(String invoice, Bank bank, JobContext job) {
    var key = job.id().toString(); // the same for all attempts of a job
    if (job.attempt() > 1 && bank.hasPaid(key)) {
      return "paid by an earlier attempt";
    }
    bank.pay(invoice, key);
    return "paid by attempt " + job.attempt();
  }

  // #attempt

  // #children
  static int exportAll(List<String> pages, JobContext job) throws InterruptedException {
    var children = new ArrayList<JobHandle>();
    for (var page : pages) {
      var request = JobRequest.of("export", page).key(page); // a second attempt finds the first's
      children.add(job.submit(request).toCompletableFuture().join().orThrow());
    }
    int exported = 0;
    for (var child : children) {
      switch (job.await(child)) {
        case Outcome.Succeeded(var file) -> exported++;
        case Outcome.Failed(var error) -> job.log(child + " failed: " + error.message());
        case Outcome.Cancelled(var reason, var abandoned) -> job.log(child + ": " + reason);
      }
    }
    return exported;
  }

  // #children

  // #cancel
  static String cancel(JobHandle handle) {
    var cancelling = handle.cancel("nobody wants it any more");
    cancelling.requested().toCompletableFuture().join(); // durable: it cannot be lost
    return switch (cancelling.ended().toCompletableFuture().join()) {
      case CancelReport.Cancelled stopped -> "stopped";
      case CancelReport.Abandoned(var job, var children) -> "given up; its code may still run";
      case CancelReport.Already(var job, var status) -> "it was over: " + status.label();
      case CancelReport.NotFound(var job) -> "there is no job " + job;
      case CancelReport.NotKept(var job) -> "it is over and was not kept, or was never here";
    };
  }

  // #cancel

  /// An outside system of the example for [#pay].
  interface Bank {
    boolean hasPaid(String key);

    void pay(String invoice, String key);
  }

  private static Optional<String> fetch(String url) {
    return url.isEmpty() ? Optional.empty() : Optional.of("a report");
  }

  // #backoff
  static JobRequest gentle(String url) {
    return JobRequest.of("report", url)
        .maxAttempts(5)
        .backoff(Backoff.exponential(Duration.ofSeconds(2), 3, Duration.ofMinutes(1), 0.2));
  }

  // #backoff

  // #patient
  static JobRequest patient(String file) {
    return JobRequest.of("import", file)
        .maxAttempts(10)
        .retryIf(RetryRule.only(IOException.class).butNever(FileNotFoundException.class));
  }

  // #patient

  // #defaults
  static HandoffBuilder imports(HandoffBuilder builder, JobHandler<String> handler) {
    return builder.handler(
        "import",
        String.class,
        handler,
        options ->
            options
                .maxAttempts(5)
                .timeout(Duration.ofMinutes(10))
                .retryIf(failure -> !(failure instanceof IllegalArgumentException)));
  }

  // #defaults

  // #retry
  static String retry(Handoff handoff, JobHandle handle) {
    return switch (handoff.retry(handle.id(), "anna").toCompletableFuture().join()) {
      case RetryAnswer.Reopened(var again) -> "runs again: " + again.id();
      case RetryAnswer.NotPossible(var job, var status) -> "it is " + status.label();
      case RetryAnswer.NotFound(var job) -> "there is no job " + job;
      case RetryAnswer.NotKept(var job) -> "it is over and was not kept, or was never here";
      case RetryAnswer.Unavailable(var reason, var after) -> "not now, try again in " + after;
    };
  }

  // #retry

  // #queues
  static void steer(Handoff handoff) {
    var queues = handoff.queues();
    queues.pause("mail").toCompletableFuture().join();
    queues.resume("mail").toCompletableFuture().join();
    queues.limit("images", OptionalInt.of(2)).toCompletableFuture().join();
    for (var queue : queues.list().toCompletableFuture().join()) {
      System.out.printf(
          "%s: %d queued, %d running%n", queue.name(), queue.queued(), queue.running());
    }
  }

  // #queues

  // #look
  static JobPage lookUp(Handoff handoff) {
    var mail = JobFilter.ALL.queue("mail").label("team", "a");
    return handoff.jobs(mail, Optional.empty(), 50).toCompletableFuture().join();
  }

  // #look

  // #postgres
  static HandoffBuilder onPostgres(String password) {
    return Handoff.builder().postgres("jdbc:postgresql://db:5432/app", "handoff", password);
  }

  // #postgres

  // #stop
  static Handoff startForGood(HandoffBuilder builder) {
    var handoff = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(handoff::close));
    return handoff;
  }

  // #stop
}
