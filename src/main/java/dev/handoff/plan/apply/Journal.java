package dev.handoff.plan.apply;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// All that is to be done, as it is kept until it is done. What has been done of it shows in the
/// directory itself.
///
/// @param edits in the order in which their slots are numbered
/// @param made the directories to be made, those above others first
/// @param emptied the directories that will have lost their last entry, those below others first
record Journal(
    int version, String name, List<FileEdit> edits, List<String> made, List<String> emptied) {

  private static final int VERSION = 1;
  private static final int SUM = 32;
  private static final int SLICE = 1 << 16;

  private static final CBORMapper MAPPER =
      CBORMapper.builder().defaultPropertyInclusion(JsonInclude.Value.ALL_NON_NULL).build();

  Journal {
    edits = edits == null ? List.of() : List.copyOf(edits);
    made = made == null ? List.of() : List.copyOf(made);
    emptied = emptied == null ? List.of() : List.copyOf(emptied);
  }

  static Journal of(String name, Edits edits, Examination.Examined examined) {
    return new Journal(VERSION, name, edits.toWrite(), examined.made(), examined.emptied());
  }

  /// The checksum, and then the rest.
  byte[] encoded() throws IOException {
    var body = MAPPER.writeValueAsBytes(this);
    return ByteBuffer.allocate(SUM + body.length)
        .put(Fingerprint.sha256().digest(body))
        .put(body)
        .array();
  }

  /// @throws IOException if it is damaged, not ours, or of a newer version
  static Journal read(Disk.Dir directory, String file) throws IOException {
    var bytes = content(directory, file);
    var body = Arrays.copyOfRange(bytes, Math.min(SUM, bytes.length), bytes.length);
    var sum = Arrays.copyOf(bytes, Math.min(SUM, bytes.length));
    if (!Arrays.equals(sum, Fingerprint.sha256().digest(body))) {
      throw new IOException("its checksum does not fit");
    }
    var journal = MAPPER.readValue(body, Journal.class);
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
        .or(() -> new Edits(edits).problem());
  }

  private static byte[] content(Disk.Dir directory, String file) throws IOException {
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
