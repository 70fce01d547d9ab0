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

/// What clients and handlers of a chaos run have seen, line by line, in the order in which it
/// happened. Each line is one write of the system, so that a process that is killed has left what
/// it had seen. Whoever reads meanwhile, or after a kill, may find a part of the last write of a
/// process: only a line with its end is one.
final class Journal {

  /// What a line is about.
  enum What {
    /// A process has its engine ready.
    UP,
    /// A job is about to be submitted: its key.
    TRY,
    /// It was accepted, or was there: its key and id.
    ACCEPTED,
    /// It was not: its key, and in how many milliseconds to try again.
    UNAVAILABLE,
    /// A handler was called: id, attempt, queue.
    BEGIN,
    /// A handler is about to return or throw: id, attempt.
    END,
    /// A cancel was reported, and the handler has stopped: id.
    CANCELLED,
    /// The end of a job was reported: id, status, attempt.
    ENDED,
    /// The engine went down by itself.
    DOWN,
    /// A plan is about to be submitted: its name.
    PLAN_TRY,
    /// It was accepted: its name and id.
    PLAN_ACCEPTED,
    /// A cancel of a plan is durable: its id.
    PLAN_CANCELLED,
    /// A plan is about to be opened again: its id.
    PLAN_RETRY,
    /// The end of a plan was reported: id, status.
    PLAN_ENDED,
    /// Something about a change: see [ChangeLines].
    CHANGE,
    /// The decision of a conflict is durable: id, path, choice.
    RESOLVED,
    /// The site of a plan is as it is to be before anything is written to it: id.
    SITE,
    /// A plan is about to be applied to its site: id, and how many changesets it has.
    APPLY,
    /// The answer to that: id, and its kind.
    APPLY_ANSWER,
    /// What is in the site of a plan while nothing writes to it: id, how many changesets have been
    /// written to it as the plan says, and all files.
    FOUND,
    /// A handler is about to give its place back and to wait for a child: id, attempt.
    PARKED,
    /// It has a place again: id, attempt.
    RESUMED,
    /// Something that is hard on the engine has happened: what.
    FAULT,
    /// A rule of a queue was changed: queue, rule.
    RULE,
    /// A question was answered with the word that there is no answer: what was asked.
    SILENT,
    /// An engine could not be started: why.
    NOT_STARTED,
    /// Something that must not be: its invariant, and what it was.
    WRONG,
    /// Everything has ended, and no worker is busy.
    IDLE,
    /// The engine was closed.
    CLOSED
  }

  record Line(long pid, What what, List<String> words) {

    String word(int index) {
      return words.get(index);
    }

    /// Empty if it is only a part of one.
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

  /// No word has one.
  private static final String END = " .";

  private static final long PID = ProcessHandle.current().pid();

  private final FileOutputStream file;
  private final boolean aloud;

  private Journal(FileOutputStream file, boolean aloud) {
    this.file = file;
    this.aloud = aloud;
  }

  static Journal silent(Path path) throws IOException {
    return new Journal(open(path), false);
  }

  /// One that also tells everything to whoever has started this process.
  static Journal spoken(Path path) throws IOException {
    return new Journal(open(path), true);
  }

  /// Not a channel, which an interrupt of a handler would close.
  private static FileOutputStream open(Path path) throws IOException {
    return new FileOutputStream(path.toFile(), true);
  }

  void say(What what, Object... words) {
    write(line(what, words));
  }

  /// A line that is written later, when there may be no memory to make one.
  static byte[] line(What what, Object... words) {
    var line = new StringBuilder().append(PID).append(' ').append(what);
    for (var word : words) {
      line.append(' ').append(word.toString().replaceAll("\\s", "_"));
    }
    // Not behind what somebody who was killed has left of a line.
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
