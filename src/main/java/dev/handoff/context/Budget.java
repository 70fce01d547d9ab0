package dev.handoff.context;

/// How many tokens a context may have.
///
/// @param window what the model takes in all
/// @param response kept free for its answer
/// @param tools taken by the descriptions of tools
/// @param system taken by the system's own words
/// @param skeletonRatio the part of the rest that is kept for the skeleton of a parent's context
public record Budget(int window, int response, int tools, int system, double skeletonRatio) {

  public static final double SKELETON_RATIO = 0.15;

  /// Exactly so many tokens, whatever else the model is given.
  public static Budget of(int tokens) {
    return new Budget(tokens, 0, 0, 0, 0);
  }

  /// What is left of a model's window.
  public static Budget of(int window, int response, int tools, int system) {
    return new Budget(window, response, tools, system, SKELETON_RATIO);
  }

  /// The same, with room for the skeleton of a parent's context.
  public Budget withSkeleton() {
    return skeletonRatio > 0 ? this : new Budget(window, response, tools, system, SKELETON_RATIO);
  }

  /// What the fragments may take together.
  public int pool() {
    long left = left();
    return left <= 0 ? 0 : (int) Math.floor(left * (1 - skeletonRatio));
  }

  /// What the skeleton of a parent's context may take.
  public int skeleton() {
    return (int) Math.max(0, left() - pool());
  }

  private long left() {
    return (long) window - response - tools - system;
  }
}
