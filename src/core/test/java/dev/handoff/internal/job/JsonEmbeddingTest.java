package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import dev.handoff.Json;
import dev.handoff.JsonEmbedding;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A document within another one")
class JsonEmbeddingTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper CBOR = new CBORMapper();

  record Holder(Json part) {}

  record Typed(@JsonTypeInfo(use = JsonTypeInfo.Id.NAME) Json part) {}

  record Delegating(Json part) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    Delegating {}
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes(@JsonSubTypes.Type(value = Named.class, name = "named"))
  sealed interface Kind permits Named {}

  record Named(Json part) implements Kind {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    Named {}
  }

  private static String written(String part) throws IOException {
    return JSON.writeValueAsString(new Holder(Json.of(part)));
  }

  @Test
  void isAPartOfItInJson() throws IOException {
    var text = "{\"a\":[1,2.50,null,true,\"x\"]}";

    assertThat(written(text)).isEqualTo("{\"part\":" + text + "}");
    assertThat(JSON.readValue(written(text), Holder.class).part()).isEqualTo(Json.of(text));
    assertThat(written("7")).isEqualTo("{\"part\":7}");
  }

  @Test
  void isReadWholeByWhoeverIsMadeOfItAlone() throws IOException {
    var text = "{\"a\":1,\"b\":{\"c\":[2]}}";

    assertThat(JSON.readValue(text, Delegating.class).part()).isEqualTo(Json.of(text));
    assertThat(JSON.readValue("{}", Delegating.class).part()).isEqualTo(Json.of("{}"));
    assertThat(JSON.readValue("{\"kind\":\"named\",\"a\":1,\"b\":2}", Kind.class))
        .isEqualTo(new Named(Json.of("{\"a\":1,\"b\":2}")));
  }

  @Test
  void isAStringIfItIsNoJson() throws IOException {
    assertThat(written("{\"a\":")).isEqualTo("{\"part\":\"{\\\"a\\\":\"}");
    assertThat(written("1 2")).isEqualTo("{\"part\":\"1 2\"}");
    assertThat(written("")).isEqualTo("{\"part\":\"\"}");
  }

  @Test
  void isItsBytesInCbor() throws IOException {
    var holder = new Holder(Json.of("{ \"a\" : 1 }"));

    var bytes = CBOR.writeValueAsBytes(holder);

    assertThat(CBOR.readTree(bytes).get("part").binaryValue()).isEqualTo(holder.part().utf8());
    assertThat(CBOR.readValue(bytes, Holder.class)).isEqualTo(holder);
  }

  @Test
  void isWrittenWhereTypesAreNamedToo() throws IOException {
    var text = JSON.writeValueAsString(new Typed(Json.of("[1]")));

    assertThat(text).isEqualTo("{\"part\":[1]}");
  }

  @Test
  void isMadeOfPlainValues() {
    var values = JsonEmbedding.values(Json.of("{\"a\":[1,2.50,null]}"));

    assertThat(values).isEqualTo(Map.of("a", Arrays.asList(1, new BigDecimal("2.50"), null)));
    assertThat(JsonEmbedding.values(Json.of("no json"))).isEqualTo("no json");
    assertThat(JsonEmbedding.values(Json.of("1 2"))).isEqualTo("1 2");
    assertThat(JsonEmbedding.written(Map.of("a", List.of(1, true))))
        .isEqualTo(Json.of("{\"a\":[1,true]}"));
    assertThat(JsonEmbedding.written(null)).isEqualTo(Json.NULL);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonEmbedding.written(new Object()))
        .withMessageStartingWith("this is not JSON: ");
  }
}
