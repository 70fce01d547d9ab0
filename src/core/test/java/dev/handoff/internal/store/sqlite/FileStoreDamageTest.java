package dev.handoff.internal.store.sqlite;

import static dev.handoff.StoreSettings.Access.READ;
import static dev.handoff.internal.store.HistoryRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.internal.store.PartitionOwner;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreHome;
import dev.handoff.internal.store.StoreKind;
import dev.handoff.internal.store.StoreReading;
import dev.handoff.testing.RewrittenRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store in a directory that was damaged")
class FileStoreDamageTest {

  private static final int BATCHES = 40;
  private static final int PAGE = 8192;

  private final StoreHome home = new StoreHome(StoreKind.FILE);
  private Path database;
  private byte[] whole;

  @BeforeEach
  void fill() throws IOException {
    try (Store store = home.open()) {
      PartitionOwner owner = PartitionOwner.of(store, 0);
      for (int batch = 1; batch <= BATCHES; batch++) {
        owner.write(RewrittenRow.state(row(batch), new byte[2_000]));
      }
      owner.checkpoint(2, 0, "a", false);
      owner.checkpoint(2, 1, "b", true);
    }
    database = home.directory().resolve("handoff.db");
    whole = Files.readAllBytes(database);
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void isNeverTakenForAnEmptyOne() throws IOException {
    Files.write(database, new byte[0]);
    assertUnreadable("cut off");

    Files.delete(database);
    Files.write(home.directory().resolve("handoff.db-wal"), new byte[100]);
    assertUnreadable("put it back");
  }

  @Test
  void isUnreadableWhenItsHeadIsGone() throws IOException {
    byte[] damaged = whole.clone();
    Arrays.fill(damaged, 0, 16, (byte) 'x');
    Files.write(database, damaged);

    assertUnreadable("not a database");
  }

  /// Every list filters by kind, so no list would show the row.
  @Test
  void isUnreadableWhenARowOfHistoryIsOfNoKind() throws IOException {
    var text = new String(whole, StandardCharsets.ISO_8859_1);
    var damaged = text.replace("jobsucceeded", "jibsucceeded");
    assertThat(damaged).isNotEqualTo(text);
    Files.write(database, damaged.getBytes(StandardCharsets.ISO_8859_1));

    assertUnreadable("neither of a job nor of a plan");
  }

  /// Look-ups by id would miss the row.
  @Test
  void isUnreadableWhenAnIndexIsNotThatOfItsTable() throws IOException {
    var text = new String(whole, StandardCharsets.ISO_8859_1);
    var id = row(7).id();
    int last = text.lastIndexOf(id);
    assertThat(text.indexOf(id)).isLessThan(last);
    byte[] damaged = whole.clone();
    damaged[last + id.length() - 1] ^= 1;
    Files.write(database, damaged);

    assertUnreadable("is damaged");
  }

  private void assertUnreadable(String reason) {
    assertThatThrownBy(home::open)
        .isInstanceOf(StoreException.Unreadable.class)
        .hasMessageContaining(home.directory().toString())
        .hasMessageContaining(reason);
  }

  @Test
  void saysSoOrGivesBackEveryPieceWhereverItIsHit() throws IOException {
    int refused = 0;
    for (long seed = 0; seed < 200; seed++) {
      Files.write(database, damaged(new Random(seed)));
      try (Store store = home.open(0, READ)) {
        List<String> pieces = StoreReading.replay(store, 0);
        // Changed bytes within a row are detected by the reader's own checksum; the store must
        // return all rows.
        assertThat(pieces).as("seed " + seed).hasSize(2 + BATCHES - 2);
        assertThat(pieces.get(1)).as("seed " + seed).startsWith("states: ");
        assertThat(pieces.getLast()).as("seed " + seed).startsWith(BATCHES + ": ");
      } catch (StoreException.Unreadable | StoreException.Unfit | StoreException.Unavailable loud) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(20);
  }

  /// Truncates the file, or changes a few bytes on one page.
  private byte[] damaged(Random random) {
    if (random.nextInt(4) == 0) {
      return Arrays.copyOf(whole, random.nextInt(whole.length));
    }
    byte[] damaged = whole.clone();
    int page = random.nextInt(whole.length / PAGE);
    for (int flip = 0; flip < 1 + random.nextInt(8); flip++) {
      int at = page * PAGE + random.nextInt(random.nextBoolean() ? PAGE : 100);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
    }
    return damaged;
  }
}
