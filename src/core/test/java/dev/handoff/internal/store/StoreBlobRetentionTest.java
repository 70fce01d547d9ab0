package dev.handoff.internal.store;

import static dev.handoff.internal.store.StageWait.get;
import static dev.handoff.internal.store.StoredPlanSamples.SLICE;
import static dev.handoff.internal.store.StoredPlanSamples.blob;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Contents that plans use")
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreBlobRetentionTest {

  private static final PackedBlob A = blob("a");
  private static final PackedBlob B = blob("b");
  private static final PackedBlob SHARED = blob("shared");

  private final StoreKind kind;
  private final StoreHome home;
  private Store store;
  private StoredPlanSamples plans;

  StoreBlobRetentionTest(StoreKind kind) {
    this.kind = kind;
    this.home = new StoreHome(kind);
    open();
  }

  private void open() {
    store = home.open();
    plans = new StoredPlanSamples(store);
  }

  @AfterEach
  void close() {
    BlobCounts.check(kind, home);
    home.close();
  }

  @Test
  void goWithTheLastPlanThatUsesThem() {
    plans.keep(1, A, SHARED);
    plans.keep(2, List.of(B), Set.of(SHARED.sha256()));
    plans.keep(2, SHARED);
    plans.end(1, 2);

    plans.forgetUpTo(1);
    assertThat(plans.there(A, B, SHARED)).containsOnly(B.sha256(), SHARED.sha256());

    plans.forgetUpTo(2);
    assertThat(plans.there(A, B, SHARED)).isEmpty();
  }

  @Test
  void areStoredOnceHoweverManyUseThem() throws Exception {
    for (int plan = 1; plan <= 5; plan++) {
      plans.keep(plan, A, A, SHARED);
    }

    if (kind.durable()) {
      assertThat(GoldenStore.texts(home, "SELECT count(*) FROM handoff_blob")).containsExactly("2");
      assertThat(GoldenStore.texts(home, "SELECT sum(uses) FROM handoff_blob"))
          .containsExactly("10");
    }
  }

  @Test
  void stayAsLongAsTheirPlanIsNotInHistory() {
    plans.keep(1, A);
    plans.keep(2, B);
    plans.end(2);

    plans.forgetUpTo(9);

    assertThat(plans.there(A, B)).containsOnly(A.sha256());
  }

  @Test
  void stayWhenTheirPlanIsOpenedAgain() {
    plans.keep(1, A);
    plans.end(1);
    plans.reopen(1);
    plans.forgetUpTo(9);
    assertThat(plans.there(A)).hasSize(1);

    plans.keep(1, B);
    plans.end(1);
    plans.forgetUpTo(9);
    assertThat(plans.there(A, B)).isEmpty();
  }

  @Test
  void areNotGivenBackByAJobOfTheSameName() {
    plans.keep(1, A);
    PartitionOwner.of(store, 1).write(StoredPlanSamples.of(1, "job"));

    assertThat(get(store.forget(Instant.MAX, SLICE))).isEqualTo(1);

    assertThat(plans.there(A)).hasSize(1);
  }

  @Test
  void areStoredAnewWhenTheyAreWantedAgain() {
    plans.keep(1, A);
    plans.end(1);
    plans.forgetUpTo(1);

    assertThat(plans.keep(2, List.of(), Set.of(A.sha256()))).containsOnly(A.sha256());
    plans.keep(2, A);

    assertThat(plans.there(A)).hasSize(1);
  }

  @Test
  void goInSlicesWhenTheyAreMany() {
    var many = many(5_000);
    plans.keep(1, many, Set.of());
    plans.keep(2, A);
    plans.end(1, 2);

    assertThat(get(store.forget(Instant.MAX, SLICE))).isEqualTo(SLICE);
    assertThat(get(store.find(HistoryRows.id(1)))).isEmpty();
    assertThat(plans.there(many)).hasSize(5_000 - ReleasedUses.MOST_USES);
    BlobCounts.check(kind, home);

    plans.forgetUpTo(2);
    assertThat(plans.there(many)).isEmpty();
    assertThat(plans.there(A)).isEmpty();
  }

  @Test
  void goInSlicesWhenTheyAreLarge() {
    var large = new ArrayList<PackedBlob>();
    for (int seed = 0; seed < 6; seed++) {
      byte[] content = new byte[9 << 20];
      new Random(seed).nextBytes(content);
      large.add(PackedBlob.of(content));
    }
    plans.keep(1, large, Set.of());
    plans.keep(1, A);
    plans.end(1);

    assertThat(get(store.forget(Instant.MAX, SLICE))).isEqualTo(SLICE);
    assertThat(plans.there(large)).hasSize(2);
    assertThat(plans.there(A)).hasSize(1);

    plans.forgetUpTo(1);
    assertThat(plans.there(large)).isEmpty();
    assertThat(plans.there(A)).isEmpty();
  }

  @Test
  void goOfManyPlansAtOnce() {
    var many = many(600);
    for (int plan = 1; plan <= 300; plan++) {
      plans.keep(plan, many.get(2 * plan - 2), many.get(2 * plan - 1), SHARED);
      plans.end(plan);
    }

    assertThat(get(store.forget(Instant.MAX, SLICE))).isEqualTo(300);

    assertThat(plans.there(many)).isEmpty();
    assertThat(plans.there(SHARED)).isEmpty();
  }

  @Test
  void goOfAPlanWithManyKeepings() {
    var many = many(150);
    for (var blob : many) {
      plans.keep(1, blob, SHARED);
    }
    plans.end(1);

    plans.forgetUpTo(1);

    assertThat(plans.there(many)).isEmpty();
    assertThat(plans.there(SHARED)).isEmpty();
  }

  @Test
  void goOnWithTheNextSliceWhenTheStoreIsOpenedAgain() {
    if (!kind.durable()) {
      return;
    }
    var many = many(3 * ReleasedUses.MOST_USES);
    plans.keep(1, many, Set.of());
    plans.keep(2, many.subList(0, 10), Set.of());
    plans.end(1);
    int calls = 0;
    boolean more = true;
    while (more) {
      more = get(store.forget(StoredPlanSamples.after(1), SLICE)) == SLICE;
      store.close();
      BlobCounts.check(kind, home);
      open();
      calls++;
    }

    assertThat(calls).isGreaterThan(2);
    assertThat(plans.there(many)).hasSize(10);
  }

  private static List<PackedBlob> many(int count) {
    return IntStream.range(0, count).mapToObj(number -> blob("content " + number)).toList();
  }
}
