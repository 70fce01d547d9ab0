package dev.handoff.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.internal.plan.Blobs.Answer;
import dev.handoff.internal.plan.Blobs.Kept;
import dev.handoff.internal.plan.Blobs.Unavailable;
import dev.handoff.internal.plan.Blobs.Unknown;
import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HandStore;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.TestActors;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Whoever stores contents")
class BlobsTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final String OWNER = "01JNZ8Q5000000000000000001";
  private static final Duration RETRY = Duration.ofSeconds(3);
  private static final Blobs.Settings SETTINGS = new Blobs.Settings(20_000, 10, 60_000, RETRY);

  private final HandStore store = new HandStore();
  private final TestProbe<Answer> requester = actors.probe(Answer.class);
  private ActorRef<Blobs.Command> blobs = actors.spawn(Blobs.create(store, SETTINGS));

  @AfterEach
  void stop() {
    actors.stop(blobs);
  }

  private static PackedBlob blob(String text) {
    return PackedBlob.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static PackedBlob random(int seed, int length) {
    var content = new byte[length];
    new Random(seed).nextBytes(content);
    return PackedBlob.of(content);
  }

  private TestProbe<Answer> keep(PackedBlob... contents) {
    return keep(OWNER, contents);
  }

  private TestProbe<Answer> keep(String owner, PackedBlob... contents) {
    var probe = actors.probe(Answer.class);
    blobs.tell(new Blobs.Keep(owner, List.of(contents), Set.of(), probe.ref()));
    return probe;
  }

  private static List<Set<String>> allKept(HandStore.Keepings asked) {
    return Collections.nCopies(asked.asked().size(), Set.of());
  }

  /// Takes the next write and answers that it is durable.
  private List<BlobUse> write() {
    var call = store.nextKeepings();
    call.answer(allKept(call.question()));
    return call.question().asked();
  }

  private static void away(HandStore.Call<HandStore.Keepings, List<Set<String>>> call) {
    call.fail(new CompletionException(new StoreException.Unavailable("gone fishing", null)));
  }

  private static void expectKept(TestProbe<Answer> probe) {
    probe.expectMessage(new Kept());
  }

  @Test
  void saysSoOnceTheyAreDurableAndNotBefore() {
    var probe = keep(blob("a"));
    var call = store.nextKeepings();
    probe.expectNoMessage(Duration.ofMillis(50));

    call.answer(allKept(call.question()));

    expectKept(probe);
    assertThat(call.question().asked())
        .singleElement()
        .satisfies(
            use -> {
              assertThat(use.owner()).isEqualTo(OWNER);
              assertThat(use.contents()).map(PackedBlob::sha256).containsOnly(blob("a").sha256());
            });
  }

  @Test
  void writesWhatWaitsTogetherAndInTheOrderInWhichItCame() {
    var first = keep(blob("0"));
    var call = store.nextKeepings();
    var waiting =
        IntStream.rangeClosed(1, 5).mapToObj(n -> keep("owner " + n, blob("" + n))).toList();
    settle();

    call.answer(allKept(call.question()));
    expectKept(first);
    var next = write();

    assertThat(next)
        .map(BlobUse::owner)
        .containsExactly("owner 1", "owner 2", "owner 3", "owner 4", "owner 5");
    waiting.forEach(BlobsTest::expectKept);
    store.expectNothing();
  }

  /// Barrier: all earlier messages have been handled.
  private void settle() {
    blobs.tell(new Blobs.Keep(OWNER, List.of(random(99, 100_000)), Set.of(), requester.ref()));
    requester.expectMessageClass(Unavailable.class);
  }

  @Test
  void hasOneWriteUnderWayAtATime() {
    keep(blob("0"));
    var call = store.nextKeepings();
    keep(blob("1"));
    settle();

    store.expectNothing();
    call.answer(allKept(call.question()));
    assertThat(write()).hasSize(1);
  }

  @Test
  void endsAWriteAfterSoManyBytesOrContents() {
    keep(blob("first"));
    var call = store.nextKeepings();
    for (int seed = 0; seed < 4; seed++) {
      keep(random(seed, 12_000));
    }
    for (int number = 0; number < 5; number++) {
      keep(blob("a" + number), blob("b" + number), blob("c" + number));
    }
    settle();
    call.answer(allKept(call.question()));

    var sizes = new ArrayList<Integer>();
    while (sizes.stream().mapToInt(Integer::intValue).sum() < 9) {
      sizes.add(write().size());
    }

    assertThat(sizes).containsExactly(2, 2, 4, 1);
  }

  @Test
  void tellsWhoeverKnewWhatIsNotThereAndNobodyElse() {
    var first = keep(blob("0"));
    var held = store.nextKeepings();
    var good = keep(blob("1"));
    var bad = keep(blob("2"));
    settle();
    held.answer(allKept(held.question()));
    expectKept(first);

    store.nextKeepings().answer(List.of(Set.of(), Set.of("missing")));

    expectKept(good);
    bad.expectMessage(new Unknown(Set.of("missing")));
  }

  @Test
  void turnsAwayWhatComesWhileTooMuchWaits() {
    keep(blob("0"));
    var call = store.nextKeepings();
    var large = IntStream.range(0, 4).mapToObj(seed -> keep(random(seed, 14_000))).toList();

    keep(random(4, 14_000))
        .expectMessage(
            new Unavailable(
                "57156 bytes of contents wait for the store already: try again when it has caught"
                    + " up",
                RETRY));
    var small = keep(blob("small"));

    call.answer(allKept(call.question()));
    write();
    write();
    write();
    large.forEach(BlobsTest::expectKept);
    expectKept(small);
    keep(random(5, 14_000));
    assertThat(write()).hasSize(1);
  }

  @Test
  void takesWhatIsLargerThanEverythingThatMayWaitWhenNothingElseDoes() {
    var large = keep(random(1, 200_000));

    assertThat(write()).hasSize(1);
    expectKept(large);
  }

  @Test
  void takesWhatIsEmptyInItsTurn() {
    var empty = keep();

    assertThat(write()).hasSize(1);
    expectKept(empty);
  }

  @Test
  void tellsEverybodyWhoWaitsThatTheStoreIsAwayAndTriesAgainWithTheNext() {
    var first = keep(blob("0"));
    var call = store.nextKeepings();
    var waiting = keep(blob("1"));
    settle();

    away(call);

    first.expectMessage(new Unavailable("gone fishing", RETRY));
    waiting.expectMessage(new Unavailable("gone fishing", RETRY));
    var later = keep(blob("2"));
    assertThat(write()).hasSize(1);
    expectKept(later);
  }

  @Test
  void writesOneByOneWhatWasRefusedTogether() {
    keep(blob("0"));
    var call = store.nextKeepings();
    var probes =
        IntStream.rangeClosed(1, 3).mapToObj(n -> keep("owner " + n, blob("" + n))).toList();
    settle();
    call.answer(allKept(call.question()));
    store.nextKeepings().fail(new StoreException.Unfit("not with me"));
    var behind = keep(blob("4"));

    assertThat(write()).map(BlobUse::owner).containsExactly("owner 1");
    var bad = store.nextKeepings();
    bad.fail(new StoreException.Unfit("not with me"));
    assertThat(write()).map(BlobUse::owner).containsExactly("owner 3");
    assertThat(write()).map(BlobUse::owner).containsExactly(OWNER);

    expectKept(probes.get(0));
    probes.get(1).expectMessage(new Unavailable("not with me", RETRY));
    expectKept(probes.get(2));
    expectKept(behind);
  }

  @Test
  void tellsEverybodyWhenItIsStopped() {
    var first = keep(blob("0"));
    store.nextKeepings();
    var waiting = keep(blob("1"));
    settle();

    actors.stop(blobs);

    first.expectMessage(new Unavailable("the engine is stopping", RETRY));
    waiting.expectMessage(new Unavailable("the engine is stopping", RETRY));
  }

  @Test
  void refusesAnOwnerWhomNoStoreCanKeepBeforeItIsAsked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Blobs.Keep("\0", List.of(), Set.of(), requester.ref()))
        .withMessageContaining("name the plan by its id");
  }

  @Test
  void needsRoomAndTime() {
    assertThat(Blobs.Settings.DEFAULT.backlogBytes()).isEqualTo(64 << 20);
    for (var wrong :
        List.<Runnable>of(
            () -> new Blobs.Settings(0, 1, 1, RETRY),
            () -> new Blobs.Settings(1, 0, 1, RETRY),
            () -> new Blobs.Settings(1, 1, 0, RETRY),
            () -> new Blobs.Settings(1, 1, 1, Duration.ZERO))) {
      assertThatIllegalArgumentException().isThrownBy(wrong::run).withMessageContaining("room");
    }
  }

  /// Store that counts the calls of `keepBlobs`.
  private static final class CountedStore extends StoreAround {
    final AtomicInteger writes = new AtomicInteger();

    CountedStore(Store inner) {
      super(inner);
    }

    @Override
    public CompletionStage<List<Set<String>>> keepBlobs(List<BlobUse> asked) {
      writes.incrementAndGet();
      return super.keepBlobs(asked);
    }
  }

  @Test
  void isAskedByManyThreadsWhoseContentsShareAFewWrites() {
    var settings =
        new StoreSettings(new StoreSettings.Memory(), 1, StoreSettings.Access.OWN, "the test");
    try (var counted = new CountedStore(StoreOpener.open(settings))) {
      blobs = actors.spawn(Blobs.create(counted, Blobs.Settings.DEFAULT));
      var scheduler = actors.system().scheduler();

      var answers =
          IntStream.range(0, 2_000)
              .parallel()
              .mapToObj(
                  number ->
                      AskPattern.<Blobs.Command, Answer>ask(
                          blobs,
                          replyTo ->
                              new Blobs.Keep(
                                  OWNER, List.of(blob("content " + number)), Set.of(), replyTo),
                          BoundedWaits.PATIENCE,
                          scheduler))
              .toList();

      assertThat(answers).map(BoundedWaits::get).containsOnly(new Kept());
      assertThat(counted.writes).hasValueLessThan(1_000);
      var all = IntStream.range(0, 2_000).mapToObj(n -> blob("content " + n).sha256()).toList();
      assertThat(BoundedWaits.get(counted.blobs(all))).hasSize(2_000);
    }
  }
}
