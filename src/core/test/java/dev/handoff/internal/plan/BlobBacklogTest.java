package dev.handoff.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.internal.store.BlobUse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The contents that wait for the store")
class BlobBacklogTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final BlobBacklog.Item[] items = {item(1), item(2), item(3), item(4)};

  private static BlobBacklog backlog(long batchBytes, int batchContents, long backlogBytes) {
    return new BlobBacklog(new Blobs.Settings(batchBytes, batchContents, backlogBytes, SECOND));
  }

  /// Item of a hundred bytes.
  private static BlobBacklog.Item item(int contents) {
    var known =
        IntStream.range(0, contents).mapToObj(number -> "sha" + number).collect(Collectors.toSet());
    return new BlobBacklog.Item(null, new BlobUse("plan", List.of(), known), 100);
  }

  private void fill(BlobBacklog backlog) {
    Arrays.stream(items).forEach(item -> assertThat(backlog.add(item)).isTrue());
  }

  @Test
  void areAsManyBytesAsThereIsRoomFor() {
    var backlog = backlog(1, 1, 200);

    assertThat(backlog.add(items[0])).isTrue();
    assertThat(backlog.add(items[1])).isTrue();
    assertThat(backlog.bytes()).isEqualTo(200);
    assertThat(backlog.add(items[2])).isFalse();
    assertThat(backlog.next()).containsExactly(items[0]);
    assertThat(backlog.bytes()).isEqualTo(100);
    assertThat(backlog.add(items[2])).isTrue();
  }

  @Test
  void areLargerThanTheRoomIfNothingElseWaits() {
    var backlog = backlog(1, 1, 99);

    assertThat(backlog.isEmpty()).isTrue();
    assertThat(backlog.add(items[0])).isTrue();
    assertThat(backlog.isEmpty()).isFalse();
    assertThat(backlog.add(items[1])).isFalse();
  }

  @Test
  void areWrittenUntilAWriteHasItsBytes() {
    var exact = backlog(200, 1_000, 1_000);
    var more = backlog(201, 1_000, 1_000);
    fill(exact);
    fill(more);

    assertThat(exact.next()).containsExactly(items[0], items[1]);
    assertThat(more.next()).containsExactly(items[0], items[1], items[2]);
    assertThat(more.bytes()).isEqualTo(100);
  }

  @Test
  void areWrittenUntilAWriteHasItsContents() {
    var exact = backlog(10_000, 3, 1_000);
    var more = backlog(10_000, 4, 1_000);
    fill(exact);
    fill(more);

    assertThat(exact.next()).containsExactly(items[0], items[1]);
    assertThat(more.next()).containsExactly(items[0], items[1], items[2]);
  }

  @Test
  void areWrittenOneByOneAfterTheyWereRefusedTogether() {
    var backlog = backlog(10_000, 1_000, 1_000);
    fill(backlog);
    var all = backlog.next();
    assertThat(all).containsExactly(items);
    backlog.apart(all.subList(0, 2));
    backlog.add(items[2]);
    backlog.add(items[3]);
    assertThat(backlog.bytes()).isEqualTo(400);

    assertThat(backlog.next()).containsExactly(items[0]);
    assertThat(backlog.next()).containsExactly(items[1]);
    assertThat(backlog.next()).containsExactly(items[2], items[3]);
    assertThat(backlog.bytes()).isZero();
  }

  @Test
  void areTakenOutAtOnce() {
    var backlog = backlog(10_000, 1_000, 1_000);
    fill(backlog);
    backlog.apart(List.of());

    assertThat(backlog.drain()).containsExactly(items);

    assertThat(backlog.isEmpty()).isTrue();
    assertThat(backlog.bytes()).isZero();
    fill(backlog);
    backlog.apart(backlog.next());
    backlog.drain();
    fill(backlog);
    assertThat(backlog.next()).hasSize(4);
  }

  @Test
  void takeWhatTheyAreAndSomethingBesides() {
    var keep = new Blobs.Keep("plan", List.of(), Set.of("a", "b"), null);

    var item = BlobBacklog.Item.of(keep);

    assertThat(item.keep()).isSameAs(keep);
    assertThat(item.bytes()).isEqualTo(256 + item.use().bytes()).isGreaterThan(256);
  }

  @Test
  void areBoundedBySettingsThatAreChecked() {
    assertThat(new Blobs.Settings(1, 1, 1, SECOND).batchBytes()).isEqualTo(1);
    refused(() -> new Blobs.Settings(0, 1, 1, SECOND));
    refused(() -> new Blobs.Settings(1, 0, 1, SECOND));
    refused(() -> new Blobs.Settings(1, 1, 0, SECOND));
    refused(() -> new Blobs.Settings(1, 1, 1, Duration.ZERO));
  }

  private static void refused(Runnable made) {
    assertThatIllegalArgumentException().isThrownBy(made::run);
  }
}
