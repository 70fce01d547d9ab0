package dev.handoff.internal.plan.apply;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import dev.handoff.internal.plan.change.FileEdit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Journal of an apply: all planned steps, kept until the end. Progress is visible in the directory
/// itself, not in the journal.
///
/// @param edits edits in the order of their slot numbers
/// @param made directories to make, parents first
/// @param emptied directories that become empty, children first
record ApplyJournal(
    int version, String name, List<FileEdit> edits, List<String> made, List<String> emptied) {

  private static final int VERSION = 1;
  private static final int SUM = 32;
  private static final int SLICE = 1 << 16;

  private static final CBORMapper MAPPER =
      CBORMapper.builder().defaultPropertyInclusion(JsonInclude.Value.ALL_NON_NULL).build();

  ApplyJournal {
    edits = edits == null ? List.of() : List.copyOf(edits);
    made = made == null ? List.of() : List.copyOf(made);
    emptied = emptied == null ? List.of() : List.copyOf(emptied);
  }

  static ApplyJournal of(String name, FileEdits edits, EditExamination.Examined examined) {
    return new ApplyJournal(VERSION, name, edits.toWrite(), examined.made(), examined.emptied());
  }

  /// Checksum, followed by the encoded journal.
  byte[] encoded() throws IOException {
    var body = MAPPER.writeValueAsBytes(this);
    return ByteBuffer.allocate(SUM + body.length)
        .put(Fingerprint.sha256().digest(body))
        .put(body)
        .array();
  }

  /// @throws IOException if the journal is damaged, foreign or of a newer version
  static ApplyJournal read(FileOperations.Dir directory, String file) throws IOException {
    var bytes = content(directory, file);
    var body = Arrays.copyOfRange(bytes, Math.min(SUM, bytes.length), bytes.length);
    var sum = Arrays.copyOf(bytes, Math.min(SUM, bytes.length));
    if (!Arrays.equals(sum, Fingerprint.sha256().digest(body))) {
      throw new IOException("its checksum does not fit");
    }
    var journal = MAPPER.readValue(body, ApplyJournal.class);
    var problem = journal.problem();
    if (problem.isPresent()) {
      throw new IOException(problem.get());
    }
    return journal;
  }

  private Optional<String> problem() {
    if (version != VERSION) {
      return Optional.of("it is of version " + version + "; this program knows " + VERSION);
    }
    return Stream.concat(made.stream(), emptied.stream())
        .flatMap(path -> FilePath.problem(path).stream())
        .findFirst()
        .or(() -> new FileEdits(edits).problem());
  }

  private static byte[] content(FileOperations.Dir directory, String file) throws IOException {
    var content = new ByteArrayOutputStream();
    try (var channel = directory.read(file)) {
      var slice = ByteBuffer.allocate(SLICE);
      while (channel.read(slice) >= 0) {
        content.write(slice.array(), 0, slice.position());
        slice.clear();
      }
    }
    return content.toByteArray();
  }
}
