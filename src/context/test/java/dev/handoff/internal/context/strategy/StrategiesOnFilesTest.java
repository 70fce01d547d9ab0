package dev.handoff.internal.context.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.context.workspace.IndexViews;
import java.nio.file.Path;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.PersonIdent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("On real files, a strategy")
class StrategiesOnFilesTest {

  @TempDir private Path root;

  private WorkspaceView view;
  private StrategyBench bench;

  @BeforeEach
  void index() throws GitAPIException {
    IndexViews.write(
        root,
        "src/shop/Till.java",
        "package shop;\n\n/// Counts the coins.\nclass Till {\n  Drawer drawer;\n}\n");
    IndexViews.write(
        root, "src/shop/Drawer.java", "package shop;\n\nclass Drawer {\n  int size;\n}\n");
    IndexViews.write(
        root, "src/shop/Bell.java", "package shop;\n\nclass Bell {\n  void ring() {}\n}\n");
    IndexViews.write(
        root, "docs/night.md", "# At night\n\n鐘 rings, see [Till](../src/shop/Till.java).\n");
    try (var git = Git.init().setDirectory(root.toFile()).call()) {
      git.add().addFilepattern(".").call();
      var ada = new PersonIdent("Ada", "ada@example.org");
      git.commit()
          .setMessage("Shutters close")
          .setAuthor(ada)
          .setCommitter(ada)
          .setSign(false)
          .call();
    }
    view = IndexViews.of(root);
    bench = new StrategyBench(view);
  }

  @AfterEach
  void close() {
    view.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"simple-keyword", "semantic-embedding", "breadth-depth-navigator", "arce"})
  void findsTheFileThatSaysIt(String name) {
    assertThat(bench.resources(name, "who is counting coins"))
        .first()
        .isEqualTo("src/shop/Till.java");
    assertThat(bench.gather(name, "who is counting coins"))
        .isEqualTo(bench.gather(name, "who is counting coins"));
  }

  @Test
  void thatNavigatesGoesOnAlongTypesAndLinks() {
    assertThat(bench.resources("breadth-depth-navigator", "coins"))
        .startsWith("src/shop/Till.java")
        .contains("src/shop/Drawer.java", "docs/night.md")
        .doesNotContain("src/shop/Bell.java");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shop.Drawer", "src/shop/Drawer.java", "Drawer.java"})
  void thatNavigatesBeginsWithWhatIsNamed(String query) {
    assertThat(bench.resources("breadth-depth-navigator", query))
        .first()
        .isEqualTo("src/shop/Drawer.java");
  }

  @Test
  void readsAnyScript() {
    assertThat(bench.resources("simple-keyword", "鐘")).containsExactly("docs/night.md");
  }

  @Test
  void thatDigsFindsWhatACommitWasAbout() {
    assertThat(bench.resources("temporal-archaeology", "shutters close"))
        .contains("src/shop/Bell.java", "src/shop/Till.java");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"simple-keyword", "breadth-depth-navigator", "temporal-archaeology", "arce"})
  void findsNothingWhereNoWordIsKnown(String name) {
    assertThat(bench.resources(name, "zzyzx")).isEmpty();
  }
}
