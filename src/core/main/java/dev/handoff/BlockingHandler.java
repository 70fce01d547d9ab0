package dev.handoff;

import org.jspecify.annotations.Nullable;

/// Decorator that runs a handler's attempts on platform threads.
sealed class BlockingHandler<T> implements JobHandler<T> {

  private final JobHandler<T> handler;

  private BlockingHandler(JobHandler<T> handler) {
    this.handler = handler;
  }

  static <T> JobHandler<T> of(JobHandler<T> handler) {
    return handler instanceof JobHandler.Checking<T> checking
        ? new Checking<>(checking)
        : new BlockingHandler<>(handler);
  }

  @Override
  public @Nullable Object handle(T payload, JobContext job) throws Exception {
    return handler.handle(payload, job);
  }

  @Override
  public void clearUp(JobHandler.LostAttempt attempt) throws Exception {
    handler.clearUp(attempt);
  }

  @Override
  public boolean isBlocking() {
    return true;
  }

  private static final class Checking<T> extends BlockingHandler<T>
      implements JobHandler.Checking<T> {

    private final JobHandler.Checking<T> handler;

    Checking(JobHandler.Checking<T> handler) {
      super(handler);
      this.handler = handler;
    }

    @Override
    public void check(T payload) throws Exception {
      handler.check(payload);
    }
  }
}
