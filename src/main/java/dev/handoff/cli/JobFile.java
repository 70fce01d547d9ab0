package dev.handoff.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobRequest;
import dev.handoff.JobRequestJson;
import dev.handoff.handlers.BuiltInHandlers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file of jobs, a JSON object per line. It is read twice, once to be checked and once to be
/// submitted, and never held in memory.
///
/// A line without a key gets one from its content, see [LineKeys]: the same file, submitted again,
/// is the same jobs.
///
/// @param temporary whether it is a copy of ours, of what came through standard input or a pipe
record JobFile(Path path, boolean temporary) implements AutoCloseable {

  /// A job of the file.
  ///
  /// @param hasOwnKey whether its key stands in the line
  record JobLine(int number, JobRequest request, boolean hasOwnKey) {}

  /// @param name a path, or `-` for standard input
  /// @param folder where a copy of standard input may be kept meanwhile
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

  /// Of a pipe, such as a shell makes of `<(…)`: it can be read once only.
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
  /// @param keys for those that have none
  Reader read(LineKeys keys) throws IOException {
    return new Reader(new LineReader(Files.newInputStream(path)), keys);
  }

  @Override
  public void close() throws IOException {
    if (temporary) {
      Files.deleteIfExists(path);
    }
  }

  /// The jobs of a file, one by one.
  static final class Reader implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final LineReader lines;
    private final LineKeys keys;

    private Reader(LineReader lines, LineKeys keys) {
      this.lines = lines;
      this.keys = keys;
    }

    /// The next job; null after the last. Empty lines are passed over.
    ///
    /// @throws BadLineException if the next line is none
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
        if (request.type().equals(BuiltInHandlers.EXEC) && captures(line.bytes())) {
          throw new BadLineException(
              line.number(),
              List.of("payload.capture: only a step of a plan can have it (handoff plan run)"));
        }
        return request.key() == null
            ? new JobLine(line.number(), request.key(keys.next(line.bytes())), false)
            : new JobLine(line.number(), request, true);
      } catch (InvalidRequestException invalid) {
        throw new BadLineException(line.number(), invalid.problems());
      }
    }

    /// Whether the program is to work in a copy: what it changes there is kept with its plan, and
    /// here there is none.
    private static boolean captures(byte[] job) {
      try {
        var capture = MAPPER.readTree(job).path("payload").path("capture");
        return !capture.isMissingNode() && !capture.isNull();
      } catch (IOException never) {
        throw new UncheckedIOException(never);
      }
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  /// A line that is not a job.
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
