package dev.handoff;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// JSON document within another document. CBOR, used by the store and between nodes, holds a byte
/// string; other formats hold a subtree.
public final class JsonEmbedding {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JsonEmbedding() {}

  public static @Nullable Object values(Json json) {
    try {
      return MAPPER.readValue(json.utf8(), Object.class);
    } catch (IOException notJson) {
      return json.toString();
    }
  }

  public static Json written(@Nullable Object values) {
    try {
      return Json.owned(MAPPER.writeValueAsBytes(values));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("this is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  public static final class Writer extends StdSerializer<Json> {

    public Writer() {
      super(Json.class);
    }

    @Override
    public void serialize(Json json, JsonGenerator out, SerializerProvider context)
        throws IOException {
      if (out instanceof CBORGenerator) {
        out.writeBinary(json.utf8());
      } else if (isJson(json)) {
        copy(json, out);
      } else {
        out.writeString(json.toString());
      }
    }

    @Override
    public void serializeWithType(
        Json json, JsonGenerator out, SerializerProvider context, TypeSerializer type)
        throws IOException {
      serialize(json, out, context);
    }

    private static boolean isJson(Json json) throws IOException {
      try (var in = MAPPER.createParser(json.utf8())) {
        in.nextToken();
        in.skipChildren();
        return in.hasCurrentToken() && in.nextToken() == null;
      } catch (JsonProcessingException malformed) {
        return false;
      }
    }

    private static void copy(Json json, JsonGenerator out) throws IOException {
      try (var in = MAPPER.createParser(json.utf8())) {
        in.nextToken();
        out.copyCurrentStructureExact(in);
      }
    }
  }

  public static final class Reader extends StdDeserializer<Json> {

    public Reader() {
      super(Json.class);
    }

    @Override
    public Json deserialize(JsonParser in, DeserializationContext context) throws IOException {
      if (in.currentToken() == JsonToken.VALUE_EMBEDDED_OBJECT) {
        return Json.owned(in.getBinaryValue());
      }
      var bytes = new ByteArrayOutputStream();
      try (var out = MAPPER.createGenerator(bytes)) {
        copy(in, out);
      }
      return Json.owned(bytes.toByteArray());
    }

    /// Input of a delegating creator begins at its first field, without the start of the object.
    private static void copy(JsonParser in, JsonGenerator out) throws IOException {
      if (!in.hasToken(JsonToken.FIELD_NAME) && !in.hasToken(JsonToken.END_OBJECT)) {
        out.copyCurrentStructureExact(in);
        return;
      }
      out.writeStartObject();
      while (in.hasToken(JsonToken.FIELD_NAME)) {
        out.copyCurrentStructureExact(in);
        in.nextToken();
      }
      out.writeEndObject();
    }
  }
}
