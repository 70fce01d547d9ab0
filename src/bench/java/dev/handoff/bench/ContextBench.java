package dev.handoff.bench;

import com.typesafe.config.ConfigFactory;
import dev.handoff.context.workspace.HashedEmbedder;
import dev.handoff.context.workspace.WorkspaceSettings;
import dev.handoff.context.workspace.WorkspaceView;
import dev.handoff.context.workspace.Workspaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/// How well contexts are found, and how fast.
final class ContextBench {

  private ContextBench() {}

  static boolean run(Arguments arguments) throws Exception {
    var settings = WorkspaceSettings.from(ConfigFactory.load().getConfig("handoff"));
    var system =
        ActorSystem.create(
            Workspaces.create(
                new Workspaces.Environment(
                    settings, new HashedEmbedder(), Optional.empty(), InstantSource.system())),
            "bench");
    try {
      quality(system, arguments);
    } finally {
      system.terminate();
    }
    return true;
  }

  private static void quality(ActorSystem<Workspaces.Command> system, Arguments arguments)
      throws Exception {
    var copy = withoutQuestions();
    var questions = Questions.all();
    try (var view = open(system, copy)) {
      var quality = new ContextQuality(view, questions);
      System.out.printf(
          "recall at 10 of %d questions about %d files%n%n", questions.size(), view.paths().size());
      System.out.printf("%-26s %9s %9s%n", "", "known", "aside");
      for (var recall : quality.ofEach(arguments.word("show", ""))) {
        System.out.printf(
            "%-26s %8.1f%% %8.1f%%%n", recall.name(), 100 * recall.known(), 100 * recall.aside());
      }
    }
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

  /// The last commit of this repository, without the file that tells the answers.
  private static Path withoutQuestions() throws Exception {
    var copy = Files.createTempDirectory("handoff-context");
    var clone =
        new ProcessBuilder("git", "clone", "--quiet", "--local", ".", copy.toString())
            .inheritIO()
            .start();
    if (clone.waitFor() != 0) {
      throw new IllegalStateException("this directory could not be cloned with git");
    }
    Files.deleteIfExists(copy.resolve("src/bench/resources/" + Questions.FILE));
    return copy;
  }
}
