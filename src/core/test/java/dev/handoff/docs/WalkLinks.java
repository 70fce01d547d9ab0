package dev.handoff.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Links of `docs/walk.md` to lines of the sources. The program writes the current line numbers
/// into the page.
///
/// ```
/// ./sbt "core/Test/runMain dev.handoff.docs.WalkLinks"
/// ```
final class WalkLinks {

  static final Path FILE = Path.of("docs", "walk.md");
  static final String COMMAND = "./sbt \"core/Test/runMain dev.handoff.docs.WalkLinks\"";

  private static final Pattern LINK =
      Pattern.compile("\\[`(?<label>[^`]+)`]\\((?<file>[^)#]+\\.java)#L(?<line>\\d+)\\)");

  /// @param page text with current line numbers; a link without a line of its own stays as it was
  /// @param moved links with another line number than the source
  /// @param broken links that name no place, or several
  record Checked(String page, List<String> moved, List<String> broken) {}

  private WalkLinks() {}

  public static void main(String[] args) throws IOException {
    var checked = check(Files.readString(FILE));
    Files.writeString(FILE, checked.page());
    checked.moved().forEach(System.out::println);
    if (!checked.broken().isEmpty()) {
      throw new IllegalStateException(String.join("\n", checked.broken()));
    }
  }

  static Checked check(String page) throws IOException {
    var moved = new ArrayList<String>();
    var broken = new ArrayList<String>();
    Map<Path, SourceLines> sources = new HashMap<>();
    var current = new StringBuilder();
    int copied = 0;
    var links = LINK.matcher(page);
    while (links.find()) {
      var file = FILE.resolveSibling(links.group("file")).normalize();
      var what = "`%s` of %s".formatted(links.group("label"), file.getFileName());
      var lines = lines(sources, file, links.group("label"));
      if (lines.size() == 1) {
        var now = String.valueOf(lines.getFirst());
        if (!now.equals(links.group("line"))) {
          moved.add("%s is in line %s, not in line %s".formatted(what, now, links.group("line")));
        }
        current.append(page, copied, links.start("line")).append(now);
        copied = links.end("line");
      } else {
        broken.add(
            lines.isEmpty()
                ? what + " is neither declared nor called there"
                : "%s is in lines %s: name its parameters".formatted(what, lines));
      }
    }
    return new Checked(current.append(page.substring(copied)).toString(), moved, broken);
  }

  private static List<Long> lines(Map<Path, SourceLines> sources, Path file, String label)
      throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    if (!sources.containsKey(file)) {
      sources.put(file, SourceLines.of(file));
    }
    return sources.get(file).find(label);
  }
}
