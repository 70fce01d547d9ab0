package dev.handoff.context.workspace;

import java.util.logging.Level;
import java.util.logging.Logger;

/// What Lucene says on standard error unless it is told not to: on many machines, at its first
/// search, that a module is missing with which it would be faster. It is fast enough.
final class LuceneLog {

  /// Held, as the level of a logger is forgotten with it.
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private LuceneLog() {}

  /// Whoever has set a level for it keeps that.
  static void quieten() {
    if (LUCENE.getLevel() == null) {
      LUCENE.setLevel(Level.SEVERE);
    }
  }
}
