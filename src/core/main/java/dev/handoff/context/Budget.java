package dev.handoff.context;

/// Token budget of a context.
///
/// @param window context window of the model
/// @param response tokens reserved for the response
/// @param tools tokens of the tool descriptions
/// @param system tokens of the system prompt
/// @param skeletonRatio fraction of the remainder that is reserved for the skeleton of the parent's
///   context
public record Budget(int window, int response, int tools, int system, double skeletonRatio) {

  public static final double SKELETON_RATIO = 0.15;

  /// Fixed budget without deductions.
  public static Budget of(int tokens) {
    return new Budget(tokens, 0, 0, 0, 0);
  }

  /// Budget from a model's window: reserves response, tools, system prompt and skeleton.
  public static Budget of(int window, int response, int tools, int system) {
    return new Budget(window, response, tools, system, SKELETON_RATIO);
  }

  /// Copy with a reserve for the skeleton of the parent's context.
  public Budget withSkeleton() {
    return skeletonRatio > 0 ? this : new Budget(window, response, tools, system, SKELETON_RATIO);
  }

  /// Token limit of all fragments.
  public int pool() {
    long left = left();
    return left <= 0 ? 0 : (int) Math.floor(left * (1 - skeletonRatio));
  }

  /// Token limit of the parent's skeleton.
  public int skeleton() {
    return (int) Math.max(0, left() - pool());
  }

  private long left() {
    return (long) window - response - tools - system;
  }
}
