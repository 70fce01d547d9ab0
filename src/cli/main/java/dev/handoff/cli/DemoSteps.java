package dev.handoff.cli;

import static dev.handoff.plan.PlanRequest.after;

import dev.handoff.Backoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.plan.Change;
import dev.handoff.plan.PlanRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Demo plan and its step handlers, which simulate work and record changes of the site. No handler
/// writes to the site.
///
/// @param site state before the apply
record DemoSteps(DemoSite site) {

  /// Paths of the steps that succeed at the first attempt.
  static final List<String> FLAWLESS =
      List.of(
          "look/colours",
          "look/fonts",
          "headline",
          "offer",
          "bread",
          "cakes",
          "summer",
          "menu",
          "feed");

  /// Step that fails once.
  static final String NEWS = "news";

  static final int COUNT = FLAWLESS.size() + 1;

  /// Result of a step: the new file, as input of later steps.
  record Written(String path, String text) {

    private String link(String pattern) {
      var heading = text.substring(text.indexOf("<h1>") + 4, text.indexOf("</h1>"));
      return pattern.formatted(path, heading) + "\n";
    }
  }

  /// Payload: creates a file.
  ///
  /// @param failures number of attempts that fail after recording half of the file
  record Write(String path, String text, int failures) {}

  /// Payload: replaces text in a file.
  ///
  /// @param step earlier step that changed the file; null = original file of the site
  record Edit(String path, @Nullable String step, String from, String to) {}

  /// Payload: deletes a file.
  record Remove(String path) {}

  /// Payload: creates a file with one line per page of the named steps.
  record Links(String path, String pattern, List<String> steps) {}

  /// Registers the handlers of the steps.
  ///
  /// @return the builder
  HandoffBuilder addTo(HandoffBuilder builder) {
    return builder
        .handler("write", Write.class, DemoSteps::write)
        .handler("edit", Edit.class, this::edit)
        .handler("remove", Remove.class, this::remove)
        .handler("links", Links.class, DemoSteps::links);
  }

  static PlanRequest plan() {
    var look =
        PlanRequest.of("look")
            .step("colours", edit("site.css", null, "black", "teal"))
            .step(
                "fonts",
                edit("site.css", "colours", "}", "  font-family: serif;\n}"),
                after("colours"));
    var news =
        JobRequest.of("write", new Write("pages/news.html", DemoSite.NEWS, 1))
            .backoff(Backoff.fixed(Duration.ofMillis(500)));
    return PlanRequest.of("site")
        .maxParallel(3)
        .step(NEWS, news)
        .plan("look", look)
        .step("headline", headline("<h1>Fresh every morning</h1>"))
        .step("offer", headline("<h1>Two loaves for one</h1>"))
        .step("bread", page("bread", DemoSite.BREAD))
        .step("cakes", page("cakes", DemoSite.CAKES))
        .step("summer", JobRequest.of("remove", new Remove("summer.html")))
        .step(
            "menu",
            links("menu.html", "<a href=\"%s\">%s</a>", "bread", "cakes", NEWS),
            after("bread", "cakes", NEWS))
        .step("feed", links("rss.txt", "%s: %s", NEWS), after(NEWS, "look"));
  }

  private static JobRequest page(String name, String text) {
    return JobRequest.of("write", new Write("pages/" + name + ".html", text, 0));
  }

  private static JobRequest headline(String text) {
    return edit(DemoSite.INDEX, null, DemoSite.WELCOME, text);
  }

  private static JobRequest edit(String path, @Nullable String step, String from, String to) {
    return JobRequest.of("edit", new Edit(path, step, from, to));
  }

  private static JobRequest links(String path, String pattern, String... steps) {
    return JobRequest.of("links", new Links(path, pattern, List.of(steps)));
  }

  private static Written write(Write page, JobContext job) throws InterruptedException {
    work(job, 600);
    if (job.attempt() <= page.failures()) {
      record(job, Change.create(page.path() + ".half", page.text().substring(0, 10)));
      throw new IllegalStateException("nobody knows the news yet");
    }
    record(job, Change.create(page.path(), page.text()));
    return new Written(page.path(), page.text());
  }

  private Written edit(Edit edit, JobContext job) throws InterruptedException, IOException {
    work(job, 450);
    var before =
        edit.step() == null
            ? site.text(edit.path())
            : job.result(edit.step(), Written.class).orElseThrow().text();
    var after = before.replace(edit.from(), edit.to());
    record(job, Change.modify(edit.path(), before, after));
    return new Written(edit.path(), after);
  }

  private @Nullable Object remove(Remove remove, JobContext job)
      throws InterruptedException, IOException {
    work(job, 300);
    record(job, Change.delete(remove.path(), site.text(remove.path())));
    return null;
  }

  private static Written links(Links links, JobContext job) throws InterruptedException {
    work(job, 400);
    var text = new StringBuilder();
    for (var step : links.steps()) {
      text.append(job.result(step, Written.class).orElseThrow().link(links.pattern()));
    }
    record(job, Change.create(links.path(), text.toString()));
    return new Written(links.path(), text.toString());
  }

  private static void record(JobContext job, Change change) {
    job.changes().record(change).toCompletableFuture().join().orThrow();
  }

  /// Simulates work; a cancel ends it at once.
  private static void work(JobContext job, int millis) throws InterruptedException {
    job.cancellation().await(Duration.ofMillis(millis));
    job.cancellation().throwIfCancelled();
  }
}
