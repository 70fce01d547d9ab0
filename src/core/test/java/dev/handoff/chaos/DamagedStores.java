package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Store with live and ended jobs, a checkpoint and a log: the original of damaged copies.
final class DamagedStores {

  private static final String DATABASE = "handoff.db";
  private static final String LOG = "handoff.db-wal";
  private static final int JOBS = 60;

  private final Path directory;
  private final Map<String, byte[]> closed;
  private final Map<String, byte[]> crashed;
  private final Map<String, String> jobs;

  private DamagedStores(
      Path directory,
      Map<String, byte[]> closed,
      Map<String, byte[]> crashed,
      Map<String, String> jobs) {
    this.directory = directory;
    this.closed = closed;
    this.crashed = crashed;
    this.jobs = jobs;
  }

  /// Result of reading a damaged copy.
  private sealed interface Found {
    /// The copy is refused, with a reason.
    record Refused(String reason) implements Found {}

    /// All jobs are intact.
    record Everything() implements Found {}

    /// Some jobs are missing or differ: the number of wrong jobs, and of jobs found.
    record Less(int wrong, int there) implements Found {}
  }

  /// @param directory working directory
  static DamagedStores prepare(Path directory) {
    var data = directory.resolve("data");
    Map<String, byte[]> crashed;
    try (var handoff = open(data)) {
      var handles =
          IntStream.range(0, JOBS)
              .mapToObj(number -> JobRequest.of("echo", "payload " + number))
              .map(handoff::submitOrThrow)
              .toList();
      handles.forEach(handle -> BoundedWaits.get(handle.result()));
      IntStream.range(0, JOBS)
          .mapToObj(number -> JobRequest.of("echo", "later " + number).delay(Duration.ofDays(1)))
          .forEach(handoff::submitOrThrow);
      crashed = files(data);
    }
    return new DamagedStores(directory, files(data), crashed, read(data));
  }

  private static Handoff open(Path data) {
    return Handoff.builder()
        .directory(data)
        .partitions(2)
        .set("ledger.checkpoint-after", "4KiB")
        .set("ledger.chunk", "2KiB")
        .handler("echo", Json.class, (payload, job) -> payload)
        .start();
  }

  private static Map<String, byte[]> files(Path data) {
    try (Stream<Path> files = Files.list(data)) {
      return files
          .filter(file -> List.of(DATABASE, LOG).contains(file.getFileName().toString()))
          .collect(Collectors.toMap(file -> file.getFileName().toString(), DamagedStores::bytes));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Reads a closed store whose database is truncated or has a few changed bytes.
  private Found ofDatabase(Random random) {
    return found(damaged(closed, DATABASE, random));
  }

  /// Reads the store of a killed process whose log is truncated or has a few changed bytes.
  private Found ofLog(Random random) {
    return found(damaged(crashed, LOG, random));
  }

  /// Asserts that each copy with a damaged database is intact, or refused with the place of the
  /// damage.
  void tryDatabase(int seeds) {
    var refused = new AtomicInteger();
    RandomSeeds.each(
        seeds,
        random -> {
          switch (ofDatabase(random)) {
            case Found.Refused(var reason) -> {
              assertThat(reason)
                  .containsAnyOf(directory.toString(), "partition ", "history of job ");
              refused.incrementAndGet();
            }
            case Found.Everything untouched -> {}
            case Found.Less less -> throw new AssertionError("silently " + less);
          }
        });
    assertThat(refused.get()).isGreaterThan(seeds / 10);
  }

  /// Asserts that a damaged log loses only a suffix. SQLite replays a log up to the first wrong
  /// checksum: in this way it tells a commit from one that a crash interrupted. Later commits are
  /// lost without a trace, earlier ones are intact.
  void tryLog(int seeds) {
    assertThat(found(crashed)).isEqualTo(new Found.Everything());
    var less = new AtomicInteger();
    RandomSeeds.each(
        seeds,
        random -> {
          if (ofLog(random) instanceof Found.Less) {
            less.incrementAndGet();
          }
        });
    assertThat(less.get()).isPositive();
  }

  private static Map<String, byte[]> damaged(
      Map<String, byte[]> files, String name, Random random) {
    var copy = new TreeMap<>(files);
    var bytes = files.get(name).clone();
    if (random.nextInt(4) == 0) {
      copy.put(name, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
    } else {
      int near = ofSomething(bytes, random);
      for (int flip = 0; flip < 1 + random.nextInt(8); flip++) {
        bytes[Math.min(bytes.length - 1, near + random.nextInt(64))] ^=
            (byte) (1 + random.nextInt(255));
      }
      copy.put(name, bytes);
    }
    return copy;
  }

  /// Position of a non-zero byte: much of a small database is empty pages.
  private static int ofSomething(byte[] bytes, Random random) {
    int place = random.nextInt(bytes.length);
    while (bytes[place] == 0) {
      place = random.nextInt(bytes.length);
    }
    return place;
  }

  private Found found(Map<String, byte[]> files) {
    try {
      var copy = Files.createTempDirectory(directory, "copy");
      for (var file : files.entrySet()) {
        Files.write(copy.resolve(file.getKey()), file.getValue());
      }
      return compare(read(copy));
    } catch (StoreException refused) {
      return new Found.Refused(refused.getMessage());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private Found compare(Map<String, String> there) {
    long wrong =
        jobs.entrySet().stream()
            .filter(job -> !job.getValue().equals(there.get(job.getKey())))
            .count();
    return wrong == 0 && there.size() == jobs.size()
        ? new Found.Everything()
        : new Found.Less((int) wrong, there.size());
  }

  /// Every job as JSON, by id.
  private static Map<String, String> read(Path data) {
    var jobs = new TreeMap<String, String>();
    try (var reader = HandoffReader.open(new StoreSettings.File(data))) {
      reader.jobs(JobFilter.ALL, Optional.empty(), HandoffReader.MAX_LIMIT).jobs().stream()
          .forEach(job -> jobs.put(job.id().value(), job.toJson()));
    }
    return jobs;
  }
}
