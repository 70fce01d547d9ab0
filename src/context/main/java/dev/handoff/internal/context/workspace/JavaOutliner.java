package dev.handoff.internal.context.workspace;

import dev.handoff.context.WorkspaceView;

/// Outliner for Java: types and members.
final class JavaOutliner implements FileOutliner {

  @Override
  public boolean takes(String path) {
    return path.endsWith(".java");
  }

  @Override
  public WorkspaceView.FileOutline read(String path, String text) {
    var tokens = new JavaTokens(text);
    var source = new JavaSource(text, tokens);
    if (source.sections().isEmpty()) {
      return new PlainOutliner().read(path, text);
    }
    var head = source.packageName().isEmpty() ? "" : "package " + source.packageName() + ";\n";
    return new SectionedOutline(
        path,
        text,
        source.says(),
        head,
        source.sections(),
        source.defines(),
        new JavaNames(text, tokens, source).mentions());
  }
}
