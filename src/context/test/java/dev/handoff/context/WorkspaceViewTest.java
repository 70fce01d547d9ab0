package dev.handoff.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.context.workspace.IndexViews;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A view of a workspace")
class WorkspaceViewTest {

  @TempDir Path root;

  @Test
  void findsFilesByTheirWords() {
    IndexViews.write(root, "src/Claims.java", "class Claims { void claimAll() {} }");
    IndexViews.write(root, "src/Other.java", "class Other { }");
    IndexViews.write(root, "docs/words.md", "# Words\nwhat is claimed is claimed once\n");

    try (var view = IndexViews.of(root)) {
      assertThat(view.search("claiming", 10))
          .extracting(WorkspaceView.Hit::path)
          .containsExactly("src/Claims.java", "docs/words.md");
      assertThat(view.nearest("claim all", 1))
          .extracting(WorkspaceView.Hit::path)
          .containsExactly("src/Claims.java");
      assertThat(view.paths())
          .containsExactly("docs/words.md", "src/Claims.java", "src/Other.java");
      assertThat(view.file("src/Other.java").orElseThrow().text()).isEqualTo("class Other { }");
      assertThat(view.notes()).isEmpty();
    }
  }
}
