package dev.handoff.internal.context.workspace;

import java.util.logging.Level;
import java.util.logging.Logger;

/// Silences Lucene's warning on standard error about a missing vector module, which appears on many
/// machines at the first search. Search is fast enough without it.
final class LuceneLog {

  /// Strong reference: a garbage-collected logger loses its level.
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private LuceneLog() {}

  /// Raises the level unless the host has set one.
  static void quieten() {
    if (LUCENE.getLevel() == null) {
      LUCENE.setLevel(Level.SEVERE);
    }
  }
}
