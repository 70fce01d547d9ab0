package dev.handoff.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.ConfigFactory;
import dev.handoff.Handoff;
import dev.handoff.StoreSettings;
import dev.handoff.bench.ContextQuality.Recall;
import dev.handoff.context.Assembled;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.context.workspace.HashedEmbedder;
import dev.handoff.internal.context.workspace.WorkspaceSettings;
import dev.handoff.internal.context.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/// Measures the quality of contexts from this repository and the speed on a generated directory.
final class ContextBench {

  /// Enough that some answers are found, whatever a change does to single ones.
  private static final int FEW_QUESTIONS = 15;

  private static final String TOGETHER = "the three that are on";

  private ContextBench() {}

  static void run(BenchArguments arguments, BenchChecks checks) throws Exception {
    var json = new LinkedHashMap<String, Object>();
    try (var handoff = Handoff.builder().store(new StoreSettings.Memory()).start()) {
      for (var one : quality(handoff, arguments)) {
        json.put(one.name(), one.all());
      }
      checks.that("every file that answers a question is there", true);
      checks.that(
          "the strategies find some of them together",
          (double) json.getOrDefault(TOGETHER, 0.0) > 0);
      int files = arguments.number("files", 5_000, 200);
      if (files > 0) {
        json.putAll(new ContextSpeed(handoff, files, arguments.quick()).run());
        checks.that("contexts are found in a made directory", true);
      }
    }
    System.out.println(new ObjectMapper().writeValueAsString(json));
  }

  private static List<Recall> quality(Handoff handoff, BenchArguments arguments) throws Exception {
    var show = arguments.word("show", "");
    var copy = withoutQuestions();
    var recalls = new ArrayList<Recall>();
    String head;
    var system = workspaces();
    try (var view = open(system, copy)) {
      var questions = ContextQuestions.all(view.paths());
      if (arguments.quick()) {
        questions = questions.subList(0, FEW_QUESTIONS);
      }
      var quality = new ContextQuality(view, questions);
      head =
          "recall at 10 of %d questions about %d files"
              .formatted(questions.size(), view.paths().size());
      recalls.addAll(quality.ofEach(show));
      recalls.add(
          quality.of(
              TOGETHER,
              words -> found(handoff, ContextRequest.of(words, copy)),
              show.equals("together")));
      var names = ContextQuality.strategies().keySet().toArray(String[]::new);
      recalls.add(
          quality.of(
              "all five",
              words -> found(handoff, ContextRequest.of(words, copy).strategies(names)),
              show.equals("all")));
    } finally {
      system.terminate();
      delete(copy);
    }
    System.out.printf("%n%s%n%n%-26s %8s %8s %8s%n", head, "", "all", "known", "aside");
    recalls.forEach(ContextBench::print);
    return recalls;
  }

  private static void print(Recall recall) {
    System.out.printf(
        Locale.ROOT,
        "%-26s %7.1f%% %7.1f%% %7.1f%%%n",
        recall.name(),
        100 * recall.all(),
        100 * recall.known(),
        100 * recall.aside());
  }

  private static List<String> found(Handoff handoff, ContextRequest request) {
    return handoff
        .assemble(request)
        .toCompletableFuture()
        .join()
        .orThrow()
        .report()
        .scores()
        .stream()
        .map(Assembled.Report.ScoreReport::resource)
        .toList();
  }

  private static ActorSystem<Workspaces.Command> workspaces() {
    var settings = WorkspaceSettings.from(ConfigFactory.load().getConfig("handoff"));
    return ActorSystem.create(
        Workspaces.create(
            new Workspaces.Environment(
                settings, new HashedEmbedder(), Optional.empty(), InstantSource.system())),
        "workspaces");
  }

  private static WorkspaceView open(ActorSystem<Workspaces.Command> system, Path root)
      throws Exception {
    var reply =
        AskPattern.<Workspaces.Command, Workspaces.Reply>ask(
                system,
                replyTo -> new Workspaces.Open(root, replyTo),
                Duration.ofMinutes(1),
                system.scheduler())
            .toCompletableFuture()
            .get(1, TimeUnit.MINUTES);
    return switch (reply) {
      case Workspaces.Opened(var view) -> view;
      case Workspaces.Refused(var reason) -> throw new IllegalStateException(reason);
    };
  }

  static void delete(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /// Clone of this repository's last commit, without the file of expected answers.
  private static Path withoutQuestions() throws Exception {
    var copy = Files.createTempDirectory("handoff-context");
    var clone =
        new ProcessBuilder("git", "clone", "--quiet", "--local", ".", copy.toString())
            .inheritIO()
            .start();
    if (clone.waitFor() != 0) {
      throw new IllegalStateException("this directory could not be cloned with git");
    }
    Files.deleteIfExists(copy.resolve("src/bench/main/resources/" + ContextQuestions.FILE));
    return copy;
  }
}
