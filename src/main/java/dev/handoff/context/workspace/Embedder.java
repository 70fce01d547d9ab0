package dev.handoff.context.workspace;

/// Makes a vector of a text, so that texts about the same thing have vectors near each other.
/// Called from several threads, and may wait for a model. The same text always has the same vector.
public interface Embedder {

  /// Names the model and its version: what was indexed with another one is indexed again. A name,
  /// as that of a strategy.
  String id();

  /// How long the vectors are, 1 to 1024.
  int dimensions();

  /// A vector of length 1.
  float[] embed(String text);
}
