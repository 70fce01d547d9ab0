package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Submission;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Runs jobs with keys and large results, and submits all of them again after a restart: the
/// everyday case of a restart made safe by keys. Prints the number of known jobs. Full size, by
/// hand:
///
/// `java -Xmx256m -cp … dev.handoff.chaos.KeyedAgain DIRECTORY 100000 200000`
public final class KeyedAgain {

  private static final int ON_THE_WAY = 20_000;

  private KeyedAgain() {}

  /// @param arguments directory, number of jobs, characters per result
  public static void main(String[] arguments) {
    var directory = Path.of(arguments[0]);
    int jobs = Integer.parseInt(arguments[1]);
    var large = "x".repeat(Integer.parseInt(arguments[2]));
    try (var handoff = open(directory, large)) {
      submit(handoff, jobs, 64, true);
    }
    try (var handoff = open(directory, large)) {
      System.out.println("known: " + submit(handoff, jobs, ON_THE_WAY, false));
    }
  }

  private static Handoff open(Path directory, String result) {
    return Handoff.builder()
        .directory(directory)
        .workers(16)
        .handler("large", Integer.class, (number, job) -> result)
        .start();
  }

  /// Submits each job until it is accepted or known.
  ///
  /// @return number of jobs already known
  private static int submit(Handoff handoff, int jobs, int onTheWay, boolean andWait) {
    var known = new AtomicInteger();
    var room = new Semaphore(onTheWay);
    var again = new ConcurrentLinkedQueue<Integer>();
    int first = 0;
    for (int left = jobs; left > 0; ) {
      room.acquireUninterruptibly();
      var refused = again.poll();
      int number = refused == null ? first++ : refused;
      left--;
      handoff
          .submit(JobRequest.of("large", number).key("key " + number))
          .whenComplete(
              (told, failure) -> {
                switch (told) {
                  case Submission.Accepted(var handle) when andWait ->
                      handle.ended().whenComplete((end, none) -> room.release());
                  case Submission.Accepted newOne -> room.release();
                  case Submission.Existing holder -> {
                    known.incrementAndGet();
                    room.release();
                  }
                  case null, default -> {
                    again.add(number);
                    room.release();
                  }
                }
              });
      if (left == 0) {
        room.acquireUninterruptibly(onTheWay);
        room.release(onTheWay);
        left = again.size();
      }
    }
    return known.get();
  }
}
