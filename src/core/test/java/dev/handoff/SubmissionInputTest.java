package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.handoff.internal.facade.JobSpecs;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.JobStates;
import dev.handoff.testing.StoreDirectory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A submission")
class SubmissionInputTest {

  private static final Instant NEVER = Instant.parse("9999-01-01T00:00:00Z");
  private static final Map<StoreDirectory.Kind, StoreDirectory> HOMES =
      new EnumMap<>(StoreDirectory.Kind.class);
  private static final Map<StoreDirectory.Kind, Handoff> ENGINES =
      new EnumMap<>(StoreDirectory.Kind.class);

  @BeforeAll
  static void start() {
    for (var kind : StoreDirectory.Kind.values()) {
      HOMES.put(kind, StoreDirectory.of(kind));
      ENGINES.put(
          kind,
          Handoff.builder()
              .store(HOMES.get(kind).store())
              .partitions(1)
              .handler("t", Json.class, (payload, job) -> payload)
              .start());
    }
  }

  @AfterAll
  static void stop() {
    ENGINES.values().forEach(Handoff::close);
    HOMES.values().forEach(StoreDirectory::close);
  }

  private static JobRequest request() {
    return payload(null);
  }

  private static JobRequest payload(Object payload) {
    return JobRequest.of("t", payload).runAt(NEVER);
  }

  @SuppressWarnings("unused")
  record Node(Map<String, Object> next) {}

  @SuppressWarnings("unused")
  record Raw(@JsonRawValue String raw) {}

  /// Payload whose getter overflows the stack.
  public static final class Bottomless {
    public String getText() {
      return getText() + "!";
    }
  }

  public static final class Unlinked {
    public String getText() {
      throw new NoClassDefFoundError("gone");
    }
  }

  public static final class Grumpy extends RuntimeException {
    @Override
    public String getMessage() {
      throw this;
    }

    public String getText() {
      throw this;
    }
  }

  public static final class Doubtful {
    public String getText() {
      throw new AssertionError("this cannot be");
    }
  }

  public static final class Greedy {
    public String getText() {
      throw new OutOfMemoryError("Java heap space");
    }
  }

  static Stream<Arguments> refused() {
    var cycle = new TreeMap<String, Object>();
    cycle.put("self", cycle);
    Iterable<String> endless =
        () ->
            new Iterator<>() {
              @Override
              public boolean hasNext() {
                return true;
              }

              @Override
              public String next() {
                return "again";
              }
            };
    return Stream.of(
        arguments("a cycle", payload(cycle), "payload"),
        arguments("a cycle in a record", payload(new Node(cycle)), "payload"),
        arguments("what cannot be written", payload(new Object()), "java.lang.Object"),
        arguments("a getter without end", payload(new Bottomless()), "payload"),
        arguments("a getter that cannot be linked", payload(new Unlinked()), "gone"),
        arguments("a getter whose failure has no words", payload(new Grumpy()), "Grumpy"),
        arguments("a getter that doubts itself", payload(new Doubtful()), "this cannot be"),
        arguments("an endless list", payload(endless), "larger than 262144 bytes"),
        arguments("257 KiB", payload("x".repeat(257 * 1024)), "larger than 262144 bytes"),
        arguments("a NUL", payload("a\0b"), "payload"),
        arguments("a lone surrogate", payload("a\ud800b"), "payload"),
        arguments("text that is not JSON", payload(Json.of("{")), "payload is not JSON"),
        arguments("trailing text", payload(Json.of("{} {}")), "payload is not JSON"),
        arguments("a name twice", payload(Json.of("{\"a\":1,\"a\":2}")), "payload is not JSON"),
        arguments("a byte order mark", payload(Json.of("\ufeff{}")), "byte order mark"),
        arguments("no number", payload(Json.of("NaN")), "payload is not JSON"),
        arguments("a huge number", payload(Json.of("1e999999999")), "payload is not JSON"),
        arguments("depth", payload(Json.of("[".repeat(100_000))), "payload is not JSON"),
        arguments("broken UTF-8", payload(Json.owned(new byte[] {'"', -1, '"'})), "UTF-8"),
        arguments("a million names", payload(named(1_000_000)), "larger than 262144 bytes"),
        arguments("a large text", payload(Json.of(" ".repeat(257 * 1024))), "larger than"),
        arguments("a queue with a space", request().queue("a b"), "queue"),
        arguments("a queue without a name", request().queue(""), "queue"),
        arguments("a long queue", request().queue("q".repeat(129)), "queue"),
        arguments("a key with a NUL", request().key("a\0"), "key"),
        arguments("a key with half a pair", request().key("a\udc00"), "key"),
        arguments("a key that runs backwards", request().key("a\u202eb"), "\\u202e"),
        arguments("a key with a line break", request().key("a\nb"), "key"),
        arguments("a key with a line separator", request().key("a\u2028b"), "key"),
        arguments("a key with an isolate", request().key("a\u2066b"), "key"),
        arguments("a key with a mark", request().key("a\u200fb"), "key"),
        arguments("a key with a letter mark", request().key("a\u061cb"), "key"),
        arguments("an empty key", request().key(""), "key"),
        arguments("a long key", request().key("k".repeat(513)), "key"),
        arguments("a label with a bar", request().label("a", "x|y"), "label"),
        arguments("a label with a bad name", request().label("a b", "x"), "label"),
        arguments("a label with a NUL", request().label("a", "\0"), "label"),
        arguments("a long label", request().label("a", "x".repeat(257)), "label"),
        arguments("many labels", labelled(33), "33 labels"),
        arguments("very many labels", labelled(10_000), "10000 labels"),
        arguments("no attempt", request().maxAttempts(0), "maxAttempts"),
        arguments("less than none", request().maxAttempts(-1), "maxAttempts"),
        arguments("too many attempts", request().maxAttempts(10_001), "maxAttempts"),
        arguments("no time at all", request().timeout(Duration.ZERO), "timeout"),
        arguments("less than no time", request().timeout(Duration.ofSeconds(-1)), "timeout"),
        arguments("a nanosecond", request().timeout(Duration.ofNanos(1)), "timeout"),
        arguments("all the time", request().timeout(Duration.ofSeconds(Long.MAX_VALUE)), "timeout"),
        arguments(
            "a silence without end",
            request().heartbeatTimeout(Duration.ofSeconds(Long.MAX_VALUE)),
            "heartbeatTimeout"),
        arguments(
            "all the past",
            request().heartbeatTimeout(Duration.ofSeconds(Long.MIN_VALUE)),
            "heartbeatTimeout"),
        arguments("the end of time", request().runAt(Instant.MAX), "runAt"),
        arguments("its beginning", request().runAt(Instant.MIN), "runAt"),
        arguments("an endless delay", request().delay(Duration.ofSeconds(Long.MAX_VALUE)), "delay"),
        arguments("a delay into the past", request().delay(Duration.ofMillis(-1)), "delay"));
  }

  private static Json named(int count) {
    return Json.of(
        IntStream.range(0, count)
            .mapToObj(name -> "\"%d\":1".formatted(name))
            .collect(Collectors.joining(",", "{", "}")));
  }

  private static JobRequest labelled(int count) {
    return request()
        .labels(
            IntStream.range(0, count)
                .boxed()
                .collect(Collectors.toMap(number -> "label-" + number, number -> "x")));
  }

  @ParameterizedTest(name = "with {0}")
  @MethodSource("refused")
  void isInvalidOnEveryStore(String what, JobRequest request, String named) {
    for (var handoff : ENGINES.values()) {
      var answer = BoundedWaits.get(handoff.submit(request));

      assertThat(answer).isInstanceOf(Submission.Invalid.class);
      assertThat(((Submission.Invalid) answer).problems())
          .hasSize(1)
          .first()
          .asString()
          .contains(named);
    }
  }

  static Stream<Arguments> taken() {
    return Stream.of(
        arguments("nothing", request()),
        arguments("256 KiB", payload(Json.of('"' + "x".repeat(256 * 1024 - 2) + '"'))),
        arguments("all kinds of text", payload("ä\u202e\ud83d\ude00\t\u0001")),
        arguments("a deep payload", payload(Json.of("[".repeat(500) + "]".repeat(500)))),
        arguments("raw JSON", payload(new Raw("{\"a\":1}"))),
        arguments("as many names as there is room for", payload(named(20_000))),
        arguments("a long key of large characters", request().key("\ud83d\ude00".repeat(256))),
        arguments("a family as its key", request().key("\ud83d\udc69\u200d\ud83d\udc67")),
        arguments("as many labels as may be", labelled(32)),
        arguments("an empty label", request().label("a", "")),
        arguments("a label of large characters", request().label("a", "\ud83d\ude00".repeat(128))),
        arguments("a label with signs", request().label("a", "%_='\"\\;--")),
        arguments(
            "names at their length", request().queue("q".repeat(128)).label("l".repeat(128), "")),
        arguments("many attempts", request().maxAttempts(10_000)),
        arguments("extreme priorities", request().priority(Integer.MIN_VALUE)),
        arguments("other extreme priorities", request().priority(Integer.MAX_VALUE)),
        arguments("a long timeout", request().timeout(Duration.ofDays(200))),
        arguments("the beginning of 1970", payload(1).queue("early").runAt(Instant.EPOCH)),
        arguments("a hundred years", payload(1).delay(Duration.ofDays(36_525))),
        arguments("a long backoff", request().backoff(Backoff.fixed(Duration.ofDays(366)))));
  }

  @ParameterizedTest(name = "with {0}")
  @MethodSource("taken")
  void isAcceptedOnEveryStoreAndReadAsItWas(String what, JobRequest request) {
    for (var handoff : ENGINES.values()) {
      var handle = handoff.submitOrThrow(request);

      var spec = JobStates.of(handoff, handle.id()).spec();
      var asked = JobSpecs.of(request, Instant.now(), JsonFormat.standard());
      assertThat(spec.hasSameContent(asked)).isTrue();
    }
  }

  @Test
  void withTheLongestKeyThereIsCanBeRunToItsEnd() {
    for (var handoff : ENGINES.values()) {
      var handle = handoff.submitOrThrow(JobRequest.of("t", 1).key("\u4e00".repeat(512)));

      assertThat(BoundedWaits.get(handle.result())).isInstanceOf(Outcome.Succeeded.class);
    }
  }

  @Test
  void withoutABackoffIsNone() {
    assertThatNullPointerException().isThrownBy(() -> request().backoff(null));
  }

  @Test
  void ofATypeThatNobodyRunsIsToldWhatIsKnown() {
    var answer =
        BoundedWaits.get(
            ENGINES.get(StoreDirectory.Kind.MEMORY).submit(JobRequest.of("u\u202e", new Object())));

    assertThat(answer)
        .isEqualTo(new Submission.UnknownType("u\u202e", new java.util.TreeSet<>(List.of("t"))));
  }

  @Test
  void thatBreaksSeveralRulesIsToldAllOfThem() {
    var request =
        JobRequest.of("t", new Object())
            .queue("")
            .key("")
            .maxAttempts(0)
            .delay(Duration.ofDays(-1));

    var answer =
        (Submission.Invalid)
            BoundedWaits.get(ENGINES.get(StoreDirectory.Kind.FILE).submit(request));

    assertThat(answer.problems()).hasSize(5);
    assertThat(new Submission.Invalid(answer.problems()))
        .satisfies(
            invalid ->
                assertThat(
                        org.assertj.core.api.Assertions.catchThrowableOfType(
                            SubmissionRefusedException.class, invalid::orThrow))
                    .hasMessageContainingAll(answer.problems().toArray(String[]::new)));
  }

  @Test
  void whoseMapperWritesEscapesIsReadStrictly() {
    var mapper = JsonMapper.builder().disable(SerializationFeature.FAIL_ON_EMPTY_BEANS).build();
    mapper
        .getFactory()
        .enable(com.fasterxml.jackson.core.json.JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature());
    var format = new JsonFormat(mapper);

    assertThat(format.write("payload", "ä").toString()).isEqualTo("\"\\u00E4\"");
    assertThat(
            org.assertj.core.api.Assertions.catchThrowableOfType(
                InvalidRequestException.class,
                () -> format.write("payload", new Raw("\"\\u0000\""))))
        .hasMessageContaining("payload is not JSON");
  }

  @Test
  void thatWritesByteByByteIsBoundedAsWell() {
    var mapper = JsonMapper.builder().build();
    var large = new ArrayList<String>();
    for (int i = 0; i < 30_000; i++) {
      large.add("0123456789");
    }

    assertThat(
            org.assertj.core.api.Assertions.catchThrowableOfType(
                InvalidRequestException.class, () -> new JsonFormat(mapper).write("result", large)))
        .hasMessageContaining("result is larger than 262144 bytes");
  }

  /// A refusal would be final, so the answer must be `Unavailable`.
  @Test
  void isAnsweredThatItMayBeMadeAgainWhereItFindsTheHeapFull() {
    var engine = ENGINES.get(StoreDirectory.Kind.MEMORY);

    assertThat(BoundedWaits.get(engine.submit(payload(new Greedy()))))
        .isInstanceOfSatisfying(
            Submission.Unavailable.class,
            full -> assertThat(full.reason()).contains("the heap is full"));
  }
}
