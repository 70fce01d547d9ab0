package dev.handoff.cli;

import static dev.handoff.PlanRequest.after;

import dev.handoff.Change;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.PlanRequest;
import dev.handoff.job.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The demo's plan, and what its steps do: they take their time, and record what they change of the
/// site. None of them writes to it.
///
/// @param site as it is before the plan is applied
record DemoSteps(DemoSite site) {

  /// Those that succeed at once, each with the plans that it is in.
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

  /// The one that fails once.
  static final String NEWS = "news";

  static final int COUNT = FLAWLESS.size() + 1;

  /// What a step has written: its result, for the steps after it.
  record Written(String path, String text) {

    private String link(String pattern) {
      var heading = text.substring(text.indexOf("<h1>") + 4, text.indexOf("</h1>"));
      return pattern.formatted(path, heading) + "\n";
    }
  }

  /// A new file.
  ///
  /// @param failures how many attempts fail when they have written half of it
  record Write(String path, String text, int failures) {}

  /// Other words in a file.
  ///
  /// @param step that has changed the file before; null = it is as it is on the site
  record Edit(String path, @Nullable String step, String from, String to) {}

  /// A file that is to go.
  record Remove(String path) {}

  /// A new file with a line for the page of each step.
  record Links(String path, String pattern, List<String> steps) {}

  /// Gives what its steps need to an engine that is being built.
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

  /// Takes its time; stops at once when it is cancelled.
  private static void work(JobContext job, int millis) throws InterruptedException {
    job.cancellation().await(Duration.ofMillis(millis));
    job.cancellation().throwIfCancelled();
  }
}
