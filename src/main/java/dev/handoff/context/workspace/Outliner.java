package dev.handoff.context.workspace;

/// Reads the outline of files of a kind. Takes anything: text that is not what its name promises
/// has a plainer outline, and never an error.
public interface Outliner {

  boolean takes(String path);

  Outline read(String path, String text);
}
