package dev.handoff.internal.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import dev.handoff.EntityId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Codec for facts and states: CBOR with logical names. Times are whole milliseconds; null fields
/// are omitted. Thread-safe.
///
/// Unknown names and fields are rejected: they come from a newer version, and a guess would lose
/// facts.
public final class FactCodec {

  private final ObjectWriter factWriter;
  private final ObjectReader factReader;
  private final ObjectWriter stateWriter;
  private final ObjectReader stateReader;
  private final Forms ordinary;

  /// Fast encoder for the most frequent facts and states. Its bytes equal those of Jackson; null =
  /// not supported.
  public interface Forms {
    byte @Nullable [] of(StoredEvent event);

    byte @Nullable [] of(EntityState state);
  }

  private enum None implements Forms {
    INSTANCE;

    @Override
    public byte @Nullable [] of(StoredEvent event) {
      return null;
    }

    @Override
    public byte @Nullable [] of(EntityState state) {
      return null;
    }
  }

  /// @param types sealed interfaces of facts and records of states, with their logical names
  public FactCodec(Collection<Class<?>> types) {
    this(types, None.INSTANCE);
  }

  /// @param ordinary fast encoder, tried first
  public FactCodec(Collection<Class<?>> types, Forms ordinary) {
    this.ordinary = ordinary;
    var mapper =
        CBORMapper.builder()
            .addModule(times())
            .defaultPropertyInclusion(JsonInclude.Value.ALL_NON_NULL)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    types.forEach(mapper::registerSubtypes);
    factWriter = mapper.writerFor(StoredEvent.class);
    factReader = mapper.readerFor(StoredEvent.class);
    stateWriter = mapper.writerFor(EntityState.class);
    stateReader = mapper.readerFor(EntityState.class);
  }

  /// Encodes a fact for an [Ledger.Append].
  ///
  /// @throws IllegalArgumentException if the fact cannot be encoded
  public Fact encode(EntityId entity, StoredEvent event) {
    var form = ordinary.of(event);
    try {
      var bytes = form == null ? factWriter.writeValueAsBytes(event) : form;
      return new Fact(entity.value(), event, bytes);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be stored: " + e.getOriginalMessage(), e);
    }
  }

  /// @throws IOException if the fact is damaged, or a newer version wrote it
  public StoredEvent decodeFact(byte[] bytes) throws IOException {
    return decode(factReader, bytes);
  }

  public byte[] encodeState(EntityState state) {
    var form = ordinary.of(state);
    try {
      return form == null ? stateWriter.writeValueAsBytes(state) : form;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be stored: " + e.getOriginalMessage(), e);
    }
  }

  /// @throws IOException if the state is damaged, or a newer version wrote it
  public EntityState decodeState(byte[] bytes) throws IOException {
    return decode(stateReader, bytes);
  }

  /// Damaged bytes can make a parser throw anything.
  private static <T> T decode(ObjectReader reader, byte[] bytes) throws IOException {
    try {
      return reader.readValue(bytes);
    } catch (RuntimeException damaged) {
      throw new IOException("it cannot be decoded: " + damaged, damaged);
    }
  }

  private static SimpleModule times() {
    return new SimpleModule("handoff-times")
        .addSerializer(
            new StdScalarSerializer<>(Instant.class) {
              @Override
              public void serialize(Instant value, JsonGenerator out, SerializerProvider context)
                  throws IOException {
                out.writeNumber(value.toEpochMilli());
              }
            })
        .addDeserializer(
            Instant.class,
            new StdScalarDeserializer<>(Instant.class) {
              @Override
              public Instant deserialize(JsonParser in, DeserializationContext context)
                  throws IOException {
                return Instant.ofEpochMilli(in.getLongValue());
              }
            })
        .addSerializer(
            new StdScalarSerializer<>(Duration.class) {
              @Override
              public void serialize(Duration value, JsonGenerator out, SerializerProvider context)
                  throws IOException {
                out.writeNumber(value.toMillis());
              }
            })
        .addDeserializer(
            Duration.class,
            new StdScalarDeserializer<>(Duration.class) {
              @Override
              public Duration deserialize(JsonParser in, DeserializationContext context)
                  throws IOException {
                return Duration.ofMillis(in.getLongValue());
              }
            });
  }
}
