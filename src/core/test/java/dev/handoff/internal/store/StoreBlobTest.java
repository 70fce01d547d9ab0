package dev.handoff.internal.store;

import static dev.handoff.internal.store.HistoryRows.bytes;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Content stored by its hash")
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreBlobTest {

  private static final String OWNER = HistoryRows.id(1);

  private final StoreHome home;
  private final Store store;

  StoreBlobTest(StoreKind kind) {
    home = new StoreHome(kind);
    store = home.open();
  }

  @AfterEach
  void close() {
    home.close();
  }

  private static PackedBlob blob(String text) {
    return PackedBlob.of(bytes(text));
  }

  private static BlobUse keeping(PackedBlob... contents) {
    return new BlobUse(OWNER, List.of(contents), Set.of());
  }

  private static BlobUse knowing(String... known) {
    return new BlobUse(OWNER, List.of(), Set.of(known));
  }

  private List<Set<String>> keep(BlobUse... asked) {
    return get(store.keepBlobs(List.of(asked)));
  }

  private Map<String, StoredBlob> read(String... sha256s) {
    return get(store.blobs(List.of(sha256s)));
  }

  @Test
  void isGivenBackWhateverItIs() {
    byte[] random = new byte[PackedBlob.MOST_BYTES];
    new Random(7).nextBytes(random);
    var contents =
        List.of(
            new byte[0], new byte[] {0}, bytes("short"), new byte[PackedBlob.MOST_BYTES], random);
    var blobs = contents.stream().map(PackedBlob::of).toList();

    assertThat(keep(keeping(blobs.toArray(PackedBlob[]::new)))).containsExactly(Set.of());

    for (int at = 0; at < blobs.size(); at++) {
      var sha256 = blobs.get(at).sha256();
      var stored = read(sha256);
      assertThat(stored).containsOnlyKeys(sha256);
      assertThat(stored.get(sha256).intact()).isTrue();
      assertThat(stored.get(sha256).content()).isEqualTo(contents.get(at));
    }
  }

  @Test
  void isLeftOutWhereItIsMissing() {
    keep(keeping(blob("a")));

    assertThat(read(blob("a").sha256(), blob("b").sha256())).containsOnlyKeys(blob("a").sha256());
    assertThat(read()).isEmpty();
    assertThat(read("\0", "ab", blob("a").sha256().toUpperCase())).isEmpty();
  }

  @Test
  void isReadManyAtATime() {
    var blobs = IntStream.range(0, 10_000).mapToObj(n -> blob("content " + n)).toList();
    keep(new BlobUse(OWNER, blobs, Set.of()));
    var wanted = new ArrayList<>(blobs.stream().map(PackedBlob::sha256).toList());
    wanted.add("0".repeat(64));
    wanted.add(blobs.getFirst().sha256());

    var read = get(store.blobs(wanted));

    assertThat(read).hasSize(10_000);
    assertThat(read.values()).allMatch(StoredBlob::intact);
    assertThat(read.get(blobs.get(4_711).sha256()).content()).isEqualTo(bytes("content 4711"));
  }

  @Test
  void isReadInPiecesWhenItIsLarge() {
    var large = new ArrayList<PackedBlob>();
    for (int seed = 0; seed < 5; seed++) {
      byte[] content = new byte[9 << 20];
      new Random(seed).nextBytes(content);
      large.add(PackedBlob.of(content));
    }
    keep(keeping(large.toArray(PackedBlob[]::new)));
    var wanted =
        Stream.concat(
            Stream.of("0".repeat(64), "f".repeat(64)), large.stream().map(PackedBlob::sha256));

    assertThat(read(wanted.toArray(String[]::new)).values())
        .hasSize(5)
        .allMatch(StoredBlob::intact);
  }

  @Test
  void isKnownOnceItIsThere() {
    var a = blob("a").sha256();
    var b = blob("b").sha256();

    assertThat(keep(knowing(a), keeping(blob("a")), knowing(a), knowing(a, b, "no name")))
        .containsExactly(Set.of(a), Set.of(), Set.of(), Set.of(b, "no name"));
    assertThat(keep(new BlobUse(OWNER, List.of(blob("b")), Set.of(a, b)))).containsOnly(Set.of());
  }

  @Test
  void isNotKeptWithWhatIsMissing() {
    var missing = new BlobUse(OWNER, List.of(blob("a")), Set.of(blob("b").sha256()));

    assertThat(keep(missing, keeping(blob("c"))))
        .containsExactly(Set.of(blob("b").sha256()), Set.of());

    assertThat(read(blob("a").sha256(), blob("c").sha256())).containsOnlyKeys(blob("c").sha256());
  }

  @Test
  void mayBeNothingAtAll() {
    assertThat(keep()).isEmpty();
    assertThat(keep(keeping())).containsExactly(Set.of());
  }

  @Test
  void isRefusedForAnOwnerWhoCannotBeStored() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BlobUse("\0", List.of(), Set.of()))
        .withMessageContaining("NUL");
  }
}
