package dev.handoff.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Actors;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Workspaces")
class WorkspacesTest {

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  @TempDir Path root;
  @TempDir Path data;

  private final TestProbe<Workspaces.Reply> caller = actors.probe(Workspaces.Reply.class);

  @Test
  void giveAViewOfADirectory() {
    Views.write(root, "a.txt", "once upon a time");
    var workspaces =
        actors.spawn(
            Workspaces.create(
                new Workspaces.Environment(
                    Views.settings(""),
                    new HashedEmbedder(),
                    Optional.of(data),
                    InstantSource.system())));

    workspaces.tell(new Workspaces.Open(root, caller.ref()));

    try (var view = caller.expectMessageClass(Workspaces.Opened.class).view()) {
      assertThat(view.paths()).containsExactly("a.txt");
    }
    actors.stop(workspaces);
  }
}
