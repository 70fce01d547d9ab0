package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import dev.handoff.testing.JacksonMappers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A JSON document within another one")
class JsonPartTest {

  private static final Json IMAGE =
      Json.of(
          "{\"file\":\"a.png\",\"sizes\":[1,2.50,-3],\"ok\":true,\"none\":null,\"ü\":\"\\\"\"}");

  record Parts(Json one, List<Json> many, Map<String, Json> named, Optional<Json> maybe) {}

  @ParameterizedTest
  @EnumSource
  void isAPartOfItAndNoBytes(JacksonMappers mapper) {
    var parts = new Parts(IMAGE, List.of(IMAGE), Map.of("a", IMAGE), Optional.of(IMAGE));

    var expected =
        "{\"one\":%s,\"many\":[%s],\"named\":{\"a\":%s},\"maybe\":%s}".replace("%s", IMAGE + "");
    assertThat(sorted(mapper.write(parts))).isEqualTo(sorted(expected));
    assertThat(sorted(mapper.writeByTree(parts))).isEqualTo(sorted(expected));
    assertThat(mapper.write(Map.of("payload", IMAGE))).isEqualTo("{\"payload\":" + IMAGE + "}");
  }

  @ParameterizedTest
  @EnumSource
  void isReadBack(JacksonMappers mapper) {
    var parts = new Parts(IMAGE, List.of(IMAGE), Map.of("a", IMAGE), Optional.of(IMAGE));

    var read = mapper.read(mapper.write(parts), Parts.class);

    assertThat(List.of(read.one(), read.many().getFirst(), read.named().get("a")))
        .allSatisfy(json -> assertThat(sorted(json.toString())).isEqualTo(sorted(IMAGE + "")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"null", "1", "-7.25", "\"text\"", "true", "[]", "{}", "12345678901234567890"})
  void isItselfWhateverItIs(String text) {
    for (var mapper : JacksonMappers.values()) {
      assertThat(mapper.write(Json.of(text))).isEqualTo(text);
      assertThat(mapper.write(List.of(Json.of(text)))).isEqualTo("[" + text + "]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void isTextIfItIsNotJson(JacksonMappers mapper) {
    assertThat(mapper.write(List.of(Json.of("oops"), Json.of("1 2"), Json.of(""))))
        .isEqualTo("[\"oops\",\"1 2\",\"\"]");
  }

  @Test
  void isItsBytesInWhatIsStored() throws IOException {
    var stored = new CBORMapper().writeValueAsBytes(IMAGE);

    assertThat(new CBORMapper().readTree(stored).binaryValue()).isEqualTo(IMAGE.utf8());
    assertThat(new CBORMapper().readValue(stored, Json.class)).isEqualTo(IMAGE);
  }

  @Test
  void isShownAsItIs() {
    assertThat(new Outcome.Succeeded(IMAGE)).hasToString("Succeeded[value=" + IMAGE + "]");
  }

  private static Object sorted(String json) {
    return JacksonMappers.JACKSON_2.read(json, Object.class);
  }
}
