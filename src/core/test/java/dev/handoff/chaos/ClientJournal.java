package dev.handoff.chaos;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Observations of clients and handlers of a chaos run, one per line, in order of time. Each line
/// is one system write, so the lines of a killed process are kept. The last line can be incomplete,
/// during a write or after a kill: readers skip lines without the end mark.
final class ClientJournal {

  /// Kind of a line. The list after the colon is its content.
  enum What {
    /// Engine of a process is ready.
    UP,
    /// Submission of a job starts: key.
    TRY,
    /// Job was accepted or existed already: key, id.
    ACCEPTED,
    /// Job was not accepted: key, retry delay in milliseconds.
    UNAVAILABLE,
    /// Handler was called: id, attempt, queue.
    BEGIN,
    /// Handler is about to return or throw: id, attempt.
    END,
    /// Cancel was reported, and the handler has stopped: id.
    CANCELLED,
    /// End of a job was reported: id, status, attempt.
    ENDED,
    /// Engine went down by itself.
    DOWN,
    /// Submission of a plan starts: name.
    PLAN_TRY,
    /// Plan was accepted: name, id.
    PLAN_ACCEPTED,
    /// Cancel of a plan is durable: id.
    PLAN_CANCELLED,
    /// Retry of a plan starts: id.
    PLAN_RETRY,
    /// End of a plan was reported: id, status.
    PLAN_ENDED,
    /// Observation of a change: see [ChangeLines].
    CHANGE,
    /// Resolution of a conflict is durable: id, path, choice.
    RESOLVED,
    /// Site of a plan has its initial files: id.
    SITE,
    /// Apply of a plan to its site starts: id, number of changesets.
    APPLY,
    /// Answer to an apply: id, kind of the answer.
    APPLY_ANSWER,
    /// Content of a plan's site while no apply runs: id, number of applied changesets according to
    /// the plan, all files.
    FOUND,
    /// Handler is about to release its slot and wait for a child: id, attempt.
    PARKED,
    /// Handler has a slot again: id, attempt.
    RESUMED,
    /// Fault was injected: description.
    FAULT,
    /// Rule of a queue was changed: queue, rule.
    RULE,
    /// Engine answered that it has no answer: the call.
    SILENT,
    /// Engine failed to start: reason.
    NOT_STARTED,
    /// Violation seen at run time: invariant, details.
    WRONG,
    /// All jobs have ended, and all workers are idle.
    IDLE,
    /// Engine was closed.
    CLOSED
  }

  record Line(long pid, What what, List<String> words) {

    String word(int index) {
      return words.get(index);
    }

    /// Parses a line; empty if the line is incomplete.
    static Optional<Line> parse(String text) {
      if (!text.endsWith(END)) {
        return Optional.empty();
      }
      var words = Arrays.asList(text.substring(0, text.length() - END.length()).split(" "));
      return Optional.of(
          new Line(
              Long.parseLong(words.get(0)),
              What.valueOf(words.get(1)),
              words.subList(2, words.size())));
    }
  }

  /// End mark of a line; no word contains it.
  private static final String END = " .";

  private static final long PID = ProcessHandle.current().pid();

  private final FileOutputStream file;
  private final boolean aloud;

  private ClientJournal(FileOutputStream file, boolean aloud) {
    this.file = file;
    this.aloud = aloud;
  }

  static ClientJournal silent(Path path) throws IOException {
    return new ClientJournal(open(path), false);
  }

  /// Journal that also prints each line to standard output, for the parent process.
  static ClientJournal spoken(Path path) throws IOException {
    return new ClientJournal(open(path), true);
  }

  /// Not a channel: an interrupted handler would close it.
  private static FileOutputStream open(Path path) throws IOException {
    return new FileOutputStream(path.toFile(), true);
  }

  void say(What what, Object... words) {
    write(line(what, words));
  }

  /// Encodes a line for a later write, when memory may be exhausted.
  static byte[] line(What what, Object... words) {
    var line = new StringBuilder().append(PID).append(' ').append(what);
    for (var word : words) {
      line.append(' ').append(word.toString().replaceAll("\\s", "_"));
    }
    // The first line feed separates the line from a killed writer's incomplete line.
    return ("\n" + line.append(END) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  void write(byte[] line) {
    try {
      file.write(line);
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
    if (aloud) {
      System.out.writeBytes(line);
      System.out.flush();
    }
  }

  static List<Line> read(Path path) {
    try {
      var text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
      return text.lines().map(Line::parse).flatMap(Optional::stream).toList();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }
}
