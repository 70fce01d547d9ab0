package dev.handoff.internal.context.workspace;

import dev.handoff.context.WorkspaceView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Outliner for any text: its first lines and the heads of its blocks.
final class PlainOutliner implements FileOutliner {

  private static final int FIRST_LINES = 3;
  private static final int MOST_MENTIONS = 1_000;
  private static final Pattern FILE =
      Pattern.compile("(?<![\\w./-])(?:[\\w.-]{1,80}+/){1,12}+[\\w.-]{1,80}+");
  private static final Pattern QUOTED =
      Pattern.compile("[\"'`]([\\w-]{1,80}+\\.[a-z]{1,5}+)[\"'`]");

  @Override
  public boolean takes(String path) {
    return true;
  }

  @Override
  public WorkspaceView.FileOutline read(String path, String text) {
    var blocks = new PlainBlocks(text);
    List<OutlineSection> sections = new ArrayList<>();
    blocks.firstLines(FIRST_LINES).forEach(line -> sections.add(OutlineSection.line(line)));
    sections.addAll(blocks.sections());
    return new SectionedOutline(
        path,
        text,
        blocks.says(),
        "",
        sections,
        new TreeSet<>(List.of(path, name(path))),
        mentions(text));
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static Set<String> mentions(String text) {
    var mentions = new TreeSet<String>();
    FILE.matcher(text).results().limit(MOST_MENTIONS).forEach(file -> mentions.add(file.group()));
    QUOTED
        .matcher(text)
        .results()
        .limit(MOST_MENTIONS)
        .forEach(file -> mentions.add(file.group(1)));
    return mentions;
  }
}
