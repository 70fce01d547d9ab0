package dev.handoff.internal.context.workspace;

import dev.handoff.context.Embedder;

/// Feature hashing without a model: each term and its character n-grams (3 to 5) add to the vector
/// components selected by their hashes. Texts with equal words have close vectors; similar words
/// give a smaller effect.
public final class HashedEmbedder implements Embedder {

  private static final int DIMENSIONS = 512;
  private static final int SHORTEST = 3;
  private static final int LONGEST = 5;

  /// Total weight of a term's n-grams relative to the term.
  private static final double RUNS = 0.3;

  /// Term length serves as an estimate of rarity, up to this limit: long words are rarer. Real
  /// frequencies would need many texts.
  private static final int LONGEST_COUNTED = 10;

  private static final long SEED = 0x9E3779B97F4A7C15L;

  private final WordNormalizer vocabulary = new WordNormalizer();

  @Override
  public String id() {
    return "hashed-2." + WordNormalizer.VERSION;
  }

  @Override
  public int dimensions() {
    return DIMENSIONS;
  }

  /// Returns the zero vector for a text without words.
  @Override
  public float[] embed(String text) {
    var sums = new double[DIMENSIONS];
    vocabulary.counted(text).forEach((term, count) -> add(sums, term, count));
    return normalised(sums);
  }

  private static void add(double[] sums, String term, int count) {
    double weight = (1 + Math.log(count)) * Math.min(term.length(), LONGEST_COUNTED);
    put(sums, hash(term, 0, term.length()), weight);
    var marked = "^" + term + "$";
    int runs = 0;
    for (int length = SHORTEST; length <= LONGEST; length++) {
      runs += Math.max(0, marked.length() - length + 1);
    }
    double share = weight * RUNS / Math.sqrt(Math.max(1, runs));
    for (int length = SHORTEST; length <= LONGEST; length++) {
      for (int from = 0; from + length <= marked.length(); from++) {
        put(sums, hash(marked, from, from + length), share);
      }
    }
  }

  private static void put(double[] sums, long hash, double weight) {
    int place = (int) Long.remainderUnsigned(hash >>> 1, DIMENSIONS);
    sums[place] += (hash & 1) == 0 ? weight : -weight;
  }

  private static long hash(String text, int from, int to) {
    long hash = SEED + to - from;
    for (int at = from; at < to; at++) {
      hash = (hash ^ text.charAt(at)) * 0x100000001B3L;
    }
    hash ^= hash >>> 33;
    hash *= 0xFF51AFD7ED558CCDL;
    hash ^= hash >>> 33;
    return hash;
  }

  private static float[] normalised(double[] sums) {
    double squares = 0;
    for (double sum : sums) {
      squares += sum * sum;
    }
    var vector = new float[sums.length];
    if (squares > 0) {
      double length = Math.sqrt(squares);
      for (int at = 0; at < sums.length; at++) {
        vector[at] = (float) (sums[at] / length);
      }
    }
    return vector;
  }
}
