package dev.handoff.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A view of a workspace")
class WorkspaceViewTest {

  @TempDir Path root;

  @Test
  void findsFilesByTheirWords() {
    Views.write(root, "src/Claims.java", "class Claims { void claimAll() {} }");
    Views.write(root, "src/Other.java", "class Other { }");
    Views.write(root, "docs/words.md", "# Words\nwhat is claimed is claimed once\n");

    try (var view = Views.of(root)) {
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
