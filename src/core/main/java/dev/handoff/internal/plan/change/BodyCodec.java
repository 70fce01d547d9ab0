package dev.handoff.internal.plan.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// CBOR codec of changeset bodies. Thread-safe.
public final class BodyCodec {

  private static final CBORMapper MAPPER =
      CBORMapper.builder()
          .addModule(new JavaTimeModule())
          .defaultPropertyInclusion(JsonInclude.Value.ALL_NON_NULL)
          .disable(SerializationFeature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS)
          .disable(DeserializationFeature.READ_DATE_TIMESTAMPS_AS_NANOSECONDS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final ObjectWriter WRITER = MAPPER.writerFor(SetBody.class);
  private static final ObjectReader READER = MAPPER.readerFor(SetBody.class);

  private static final ObjectReader ENTRY =
      MAPPER.readerFor(ChangeEntry.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private BodyCodec() {}

  public static byte[] encode(SetBody body) {
    try {
      return WRITER.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be stored: " + e.getOriginalMessage(), e);
    }
  }

  /// @throws IOException if the body is damaged or from a newer version
  public static SetBody decode(byte[] bytes) throws IOException {
    try {
      return READER.readValue(bytes);
    } catch (RuntimeException damaged) {
      throw new IOException("it cannot be decoded: " + damaged, damaged);
    }
  }

  /// Readable entries of a body, up to the first damaged one.
  static List<ChangeEntry> readable(byte[] bytes) {
    var entries = new ArrayList<ChangeEntry>();
    try (var parser = MAPPER.createParser(bytes)) {
      boolean begins =
          parser.nextToken() == JsonToken.START_OBJECT
              && "entries".equals(parser.nextFieldName())
              && parser.nextToken() == JsonToken.START_ARRAY;
      while (begins && parser.nextToken() == JsonToken.START_OBJECT) {
        entries.add(ENTRY.readValue(parser));
      }
    } catch (IOException | RuntimeException damaged) {
      return entries;
    }
    return entries;
  }
}
