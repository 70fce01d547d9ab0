package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("References between files")
class FileLinksTest {

  private final List<IndexEntry> entries = new ArrayList<>();

  private void file(String path, List<String> defines, List<String> mentions) {
    entries.add(new IndexEntry(path, 1, 1, 2, "", null, defines, mentions));
  }

  private FileLinks links() {
    return new FileLinks(entries);
  }

  @Test
  void leadToTheOneFileThatDefinesAName() {
    file("a/One.java", List.of("a.One", "One"), List.of("b.Two", "Three", "java.util.List"));
    file("b/Two.java", List.of("b.Two", "Two"), List.of("One"));
    file("b/Three.java", List.of("b.Three", "Three"), List.of("Three"));

    assertThat(links().from("a/One.java")).containsExactly("b/Three.java", "b/Two.java");
    assertThat(links().to("a/One.java")).containsExactly("b/Two.java");
    assertThat(links().from("b/Three.java")).as("not to itself").isEmpty();
    assertThat(links().to("b/Three.java")).containsExactly("a/One.java");
    assertThat(links().from("missing")).isEmpty();
  }

  @Test
  void leadNowhereWhereSeveralFilesDefineAName() {
    file("a/One.java", List.of("a.One", "One"), List.of());
    file("b/One.java", List.of("b.One", "One"), List.of());
    file("c.java", List.of(), List.of("One", "b.One"));

    assertThat(links().from("c.java")).containsExactly("b/One.java");
  }

  @Test
  void leadToWhatAQualifiedNameIsWithin() {
    file("a/One.java", List.of("a.One"), List.of());
    file("c.java", List.of(), List.of("a.One.Inner.method"));
    file("d.java", List.of(), List.of("a.One.Inner.Deeper.method"));

    assertThat(links().from("c.java")).containsExactly("a/One.java");
    assertThat(links().from("d.java")).isEmpty();
  }

  @Test
  void arePathsThatStartAtTheirFileOrElseAtTheRoot() {
    file("docs/guide.md", List.of(), List.of("../src/a.java#L3", "sub/./b%20c.md?x=1", "/top.md"));
    file("src/a.java", List.of(), List.of());
    file("docs/sub/b c.md", List.of(), List.of("../guide.md", "src/a.java", "sub/none.md"));
    file(
        "top.md", List.of(), List.of("https://example.org/src/a.java", "#here", "100%", "a%zz.md"));

    assertThat(links().from("docs/guide.md"))
        .containsExactly("docs/sub/b c.md", "src/a.java", "top.md");
    assertThat(links().from("docs/sub/b c.md")).containsExactly("docs/guide.md", "src/a.java");
    assertThat(links().from("top.md")).isEmpty();
  }

  @Test
  void neverLeadOutOfTheRoot() {
    file("a/b.md", List.of(), List.of("../../b.md", "../../../a/b.md", "/../a/c.md", "../c.md"));
    file("a/c.md", List.of(), List.of());
    file("c.md", List.of(), List.of());

    assertThat(links().from("a/b.md")).containsExactly("c.md");
  }

  @Test
  void mayNameAFileThatIsTheOnlyOneOfItsName() {
    file("deep/down/reference.conf", List.of(), List.of());
    file("one/twin.md", List.of(), List.of());
    file("two/twin.md", List.of(), List.of());
    file("a.md", List.of(), List.of("reference.conf", "twin.md", "none.md", "."));

    assertThat(links().from("a.md")).containsExactly("deep/down/reference.conf");
  }
}
