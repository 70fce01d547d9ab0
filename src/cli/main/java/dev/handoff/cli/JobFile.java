package dev.handoff.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.json.JobRequestJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A job file with one JSON object per line. It is read twice, for validation and for submission,
/// and never held in memory.
///
/// A line without a key gets a key from its content, see [LineKeys], so that a second submission of
/// the file finds the existing jobs.
///
/// @param temporary whether the file is a temporary copy of standard input or a pipe
record JobFile(Path path, boolean temporary) implements AutoCloseable {

  /// A job of the file.
  ///
  /// @param hasOwnKey whether the line contains its key
  record JobLine(int number, JobRequest request, boolean hasOwnKey) {}

  /// @param name path, or `-` for standard input
  /// @param folder directory for a temporary copy of standard input
  static JobFile open(String name, InputStream standardInput, Path folder) throws IOException {
    if (!name.equals("-")) {
      var path = pathOf(name);
      if (!Files.exists(path)) {
        throw new CommandFailedException(
            ExitCode.NOT_FOUND, "file %s does not exist".formatted(name));
      }
      if (Files.isDirectory(path)) {
        throw new CommandFailedException(
            ExitCode.USAGE, "%s is a directory: name a file of jobs".formatted(name));
      }
      return Files.isRegularFile(path) ? new JobFile(path, false) : copied(path, folder);
    }
    return copied(standardInput, folder);
  }

  /// Copies a pipe, such as the shell's `<(…)`, which can be read only once.
  private static JobFile copied(Path pipe, Path folder) throws IOException {
    try (var in = Files.newInputStream(pipe)) {
      return copied(in, folder);
    }
  }

  private static JobFile copied(InputStream in, Path folder) throws IOException {
    Files.createDirectories(folder);
    var copy = Files.createTempFile(folder, "standard-input", ".ndjson");
    copy.toFile().deleteOnExit();
    Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
    return new JobFile(copy, true);
  }

  private static Path pathOf(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException none) {
      throw new CommandFailedException(
          ExitCode.USAGE, "\"%s\" cannot be the name of a file".formatted(name));
    }
  }

  /// Reads the jobs in order.
  ///
  /// @param keys generator for lines without a key
  Reader read(LineKeys keys) throws IOException {
    return new Reader(new LineReader(Files.newInputStream(path)), keys);
  }

  @Override
  public void close() throws IOException {
    if (temporary) {
      Files.deleteIfExists(path);
    }
  }

  /// Sequential reader of a job file.
  static final class Reader implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final LineReader lines;
    private final LineKeys keys;

    private Reader(LineReader lines, LineKeys keys) {
      this.lines = lines;
      this.keys = keys;
    }

    /// Next job, skipping blank lines; null after the last.
    ///
    /// @throws BadLineException if the next line is invalid
    @Nullable JobLine next() throws IOException, BadLineException {
      var line = lines.next();
      while (line != null && line.isBlank()) {
        line = lines.next();
      }
      return line == null ? null : job(line);
    }

    private JobLine job(LineReader.Line line) throws BadLineException {
      if (line.tooLong()) {
        throw new BadLineException(
            line.number(), List.of("is longer than %d bytes".formatted(LineReader.MOST_BYTES)));
      }
      try {
        var request = JobRequestJson.read(line.bytes());
        if (request.type().equals(BuiltInHandlers.EXEC) && captures(request)) {
          throw new BadLineException(
              line.number(),
              List.of("payload.capture: only a step of a plan can have it (handoff plan run)"));
        }
        return request.key().isEmpty()
            ? new JobLine(line.number(), request.key(keys.next(line.bytes())), false)
            : new JobLine(line.number(), request, true);
      } catch (InvalidRequestException invalid) {
        throw new BadLineException(line.number(), invalid.problems());
      }
    }

    /// Whether an `exec` job asks for a captured working copy. Captured changes belong to a plan,
    /// and these jobs have none.
    private static boolean captures(JobRequest exec) {
      try {
        return exec.payload() instanceof Json payload
            && MAPPER.readTree(payload.utf8()).hasNonNull("capture");
      } catch (IOException never) {
        throw new UncheckedIOException(never);
      }
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  /// Line that is not a valid job.
  static final class BadLineException extends Exception {

    private final int line;
    private final transient List<String> problems;

    BadLineException(int line, List<String> problems) {
      super("line %d: %s".formatted(line, String.join("; ", problems)));
      this.line = line;
      this.problems = problems;
    }

    int line() {
      return line;
    }

    List<String> problems() {
      return problems;
    }
  }
}
