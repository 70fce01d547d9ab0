package dev.handoff.internal.context.workspace;

import dev.handoff.context.Embedder;
import java.util.Optional;

/// Calls an embedder and validates its vectors.
record CheckedEmbedder(Embedder embedder) {

  private static final double SLACK = 1e-3;

  /// Result for a text.
  ///
  /// @param vector empty if none
  /// @param failed whether the embedder failed
  record Answer(Optional<float[]> vector, boolean failed) {}

  /// Embeds a text. Any exception counts as failure of this text: embedders may be custom code with
  /// native libraries.
  Answer of(String text) {
    try {
      return checked(embedder.embed(text));
    } catch (Exception | LinkageError | StackOverflowError broken) {
      return new Answer(Optional.empty(), true);
    }
  }

  private Answer checked(float[] vector) {
    if (vector == null || vector.length != embedder.dimensions()) {
      return new Answer(Optional.empty(), true);
    }
    double squares = 0;
    for (float value : vector) {
      squares += (double) value * value;
    }
    if (squares == 0) {
      return new Answer(Optional.empty(), false);
    }
    double length = Math.sqrt(squares);
    if (!Double.isFinite(length) || length < Float.MIN_NORMAL) {
      return new Answer(Optional.empty(), true);
    }
    return new Answer(Optional.of(unit(vector, length)), false);
  }

  private static float[] unit(float[] vector, double length) {
    if (Math.abs(length - 1) < SLACK) {
      return vector;
    }
    var unit = new float[vector.length];
    for (int at = 0; at < unit.length; at++) {
      unit[at] = (float) (vector[at] / length);
    }
    return unit;
  }
}
