package dev.handoff.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobRequest;
import dev.handoff.StoreSettings;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.PlanFile;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The chapter about plans")
class PlanExamplesTest {

  @TempDir Path folder;

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);

  @AfterEach
  void clear() {
    home.close();
  }

  private Handoff start(HandoffBuilder builder) {
    return BuiltInHandlers.with(BuiltInHandlers.Settings.SAFE.withExec())
        .addTo(builder.store(home.store()))
        .start();
  }

  @Test
  void hasAFileThatBuildsASite() throws IOException {
    var file = PlanFile.read(Path.of("docs/examples/site.yaml"));
    try (var handoff = start(Handoff.builder())) {
      var plan = handoff.plans().submitOrThrow(file.request());

      assertThat(BoundedWaits.get(plan.result())).isInstanceOf(PlanOutcome.Succeeded.class);

      var news = BoundedWaits.get(plan.info()).orElseThrow().steps().get(2).info().orElseThrow();
      assertThat(news.attempt()).isEqualTo(2);
      var out = folder.resolve("out");
      assertThat(PlanExamples.apply(plan, out)).startsWith("5 files are in ");
      assertThat(out.resolve("index.html"))
          .content()
          .contains("pages/about.html", "pages/home.html", "pages/news.html")
          .doesNotContain("half");
      assertThat(out.resolve("site.css"))
          .hasContent("h1 { color: teal }\nh1 { font-family: serif }");
      assertThat(PlanExamples.apply(plan, out)).isEqualTo("all of it is there already");
      assertThat(PlanExamples.verify(plan)).startsWith("intact");
    }
  }

  @Test
  void hasExamplesThatRun() throws IOException {
    var site = Files.createDirectories(folder.resolve("site"));
    Files.writeString(site.resolve("a.html"), "<h1>\ta</h1>\n");
    var builder =
        PlanExamples.tool(Handoff.builder(), site)
            .handler("page", String.class, PlanExamples::page)
            .handler("style", String.class, (name, job) -> name)
            .handler("index", Object.class, (none, job) -> null);
    try (var handoff = start(builder)) {
      var plan = PlanExamples.submit(handoff);
      assertThat(PlanExamples.end(plan)).isEqualTo("done");
      assertThat(PlanExamples.cancel(plan)).isEqualTo("it had succeeded");
      assertThat(BoundedWaits.get(plan.changesets())).hasSize(2);

      var lint =
          handoff
              .plans()
              .submitOrThrow(PlanRequest.of("lint").step("a", JobRequest.of("lint", "a.html")));
      assertThat(PlanExamples.end(lint)).isEqualTo("done");
      assertThat(BoundedWaits.get(lint.diff()).text()).contains("-<h1>\ta</h1>", "+<h1>  a</h1>");
      assertThat(site.resolve("a.html")).hasContent("<h1>\ta</h1>");
      assertThat(PlanExamples.apply(lint, site)).startsWith("1 files");

      var open =
          handoff
              .plans()
              .submitOrThrow(
                  PlanRequest.of("open")
                      .step("long", JobRequest.of("sleep", Map.of("duration", "60s"))));
      assertThat(PlanExamples.edit(open).orThrow().entries()).isEqualTo(1);
      assertThat(PlanExamples.cancel(open)).startsWith("stopped").endsWith("kept 1 changesets");
    }
  }

  @Test
  void readsAStoreThatNoEngineHasOpen() {
    PlanHandle plan;
    try (var handoff =
        Handoff.builder()
            .store(new StoreSettings.File(folder))
            .handler("page", String.class, PlanExamples::page)
            .start()) {
      plan =
          handoff
              .plans()
              .submitOrThrow(PlanRequest.of("p").step("a", JobRequest.of("page", "home")));
      assertThat(PlanExamples.end(plan)).isEqualTo("done");
    }

    assertThat(PlanExamples.read(folder, plan.id())).contains("+<h1>home</h1>");
    assertThat(PlanExamples.read(folder, new PlanId(new Ulid(new Random(1)).next(0, 1))))
        .startsWith("there is no plan");
  }

  @Test
  void hasAPlanThatCanBeRead() throws IOException {
    var page = Files.readString(Path.of("docs/plans.md"));
    var yaml = page.split("```yaml\n")[1].split("```")[0];

    var file = PlanFile.parse("site.yaml", yaml.getBytes(StandardCharsets.UTF_8));

    assertThat(file.lines()).containsOnlyKeys("home", "look", "look/colours", "index");
  }
}
