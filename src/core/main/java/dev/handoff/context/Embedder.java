package dev.handoff.context;

/// Converts a text to a vector, so that texts about a common subject have close vectors.
/// Thread-safe; may block. Deterministic: equal texts have equal vectors.
public interface Embedder {

  /// Id of model and version, in the format of a strategy name. A different id leads to a full
  /// reindex.
  String id();

  /// Vector length, 1 to 1024.
  int dimensions();

  /// Returns a vector of norm 1.
  float[] embed(String text);
}
