package dev.handoff.context.workspace;

/// Makes vectors of words without a model: each term of a text, and the runs of three to five
/// characters that it is made of, counts in a place of the vector that its hash names. Texts with
/// the same words have vectors near each other, and so, less, have texts with alike words.
public final class HashedEmbedder implements Embedder {

  private static final int DIMENSIONS = 512;
  private static final int SHORTEST = 3;
  private static final int LONGEST = 5;

  /// What all the runs of a term weigh beside the term itself.
  private static final double RUNS = 0.3;

  /// Longer words are rarer, and tell more: so this stands for how common a word is, which is known
  /// only where there are many texts.
  private static final int LONGEST_COUNTED = 10;

  private static final long SEED = 0x9E3779B97F4A7C15L;

  private final Vocabulary vocabulary = new Vocabulary();

  @Override
  public String id() {
    return "hashed-2." + Vocabulary.VERSION;
  }

  @Override
  public int dimensions() {
    return DIMENSIONS;
  }

  /// A text without words has a vector of zeros.
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
