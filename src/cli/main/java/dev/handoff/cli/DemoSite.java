package dev.handoff.cli;

import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.plan.Change;
import dev.handoff.plan.PlanFile;
import dev.handoff.plan.PlanRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Small web site, and the demo's plan that changes it. The handlers of the steps simulate work and
/// record changes; none writes to the site.
record DemoSite(Path directory) {

  private static final String PLAN = "demo-plan.yaml";

  /// Payload: creates, changes or deletes a file.
  ///
  /// @param step earlier step that changed the file; null = file of the site
  /// @param from text to replace; null = all of the file
  /// @param to new text; null deletes the file
  /// @param failures number of attempts that fail after recording something
  record Edit(
      String path,
      @Nullable String step,
      @Nullable String from,
      @Nullable String to,
      int failures) {}

  /// Creates the site in a new directory.
  static DemoSite in(Path directory) throws IOException {
    var files =
        Map.of(
            "index.html", index("Welcome"),
            "site.css", "h1 {\n  color: black;\n}\n",
            "summer.html", "<h1>Closed in August</h1>\n");
    Files.createDirectory(directory);
    for (var file : files.entrySet()) {
      Files.writeString(directory.resolve(file.getKey()), file.getValue());
    }
    return new DemoSite(directory);
  }

  /// Home page with a headline.
  static String index(String headline) {
    return "<link rel=\"stylesheet\" href=\"site.css\">\n<h1>%s</h1>\n<p>We bake.</p>\n"
        .formatted(headline);
  }

  static PlanRequest plan() throws IOException {
    try (var file = DemoSite.class.getResourceAsStream(PLAN)) {
      return PlanFile.parse(PLAN, file.readAllBytes()).request();
    }
  }

  /// Registers the handlers of the steps.
  ///
  /// @return the builder
  HandoffBuilder addTo(HandoffBuilder builder) {
    return builder
        .handler("write", Edit.class, this::edit)
        .handler("edit", Edit.class, this::edit)
        .handler("remove", Edit.class, this::edit);
  }

  private String edit(Edit edit, JobContext job) throws InterruptedException, IOException {
    job.cancellation().await(Duration.ofMillis(500)); // the work
    job.cancellation().throwIfCancelled();
    var path = edit.path();
    if (job.attempt() <= edit.failures()) {
      job.changes().record(Change.create(path + ".half", "<h1>"));
      throw new IllegalStateException("nobody knows the news yet");
    }
    var file = directory.resolve(path);
    var before =
        edit.step() != null
            ? job.result(edit.step(), String.class).orElseThrow()
            : job.type().equals("write") ? "" : Files.readString(file);
    var after = edit.from() == null ? edit.to() : before.replace(edit.from(), edit.to());
    var change =
        switch (job.type()) {
          case "write" -> Change.create(path, after);
          case "edit" -> Change.modify(path, before, after);
          default -> Change.delete(path, before);
        };
    job.changes().record(change).toCompletableFuture().join().orThrow();
    return after;
  }
}
