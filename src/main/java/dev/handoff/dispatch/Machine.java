package dev.handoff.dispatch;

/// What workers need of the machine that they run on.
public interface Machine {

  /// This one.
  Machine REAL =
      new Machine() {
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
  /// @param blocking whether it has to be a platform thread
  /// @throws OutOfMemoryError if there can be no more threads
  Thread start(boolean blocking, String name, Runnable code);

  /// A time that only goes forward.
  long nanoTime();
}
