package dev.handoff.internal.dispatch.worker;

/// Threads and clock of the machine that workers run on.
public interface ThreadsAndClock {

  /// Threads and clock of this JVM.
  ThreadsAndClock REAL =
      new ThreadsAndClock() {
        @Override
        public Thread start(boolean blocking, String name, Runnable code) {
          var thread =
              blocking ? Thread.ofPlatform().daemon().name(name) : Thread.ofVirtual().name(name);
          return thread.start(code);
        }

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }
      };

  /// Starts a thread.
  ///
  /// @param blocking whether a platform thread is required
  /// @throws OutOfMemoryError if no more threads can be created
  Thread start(boolean blocking, String name, Runnable code);

  /// Monotonic time in nanoseconds.
  long nanoTime();
}
