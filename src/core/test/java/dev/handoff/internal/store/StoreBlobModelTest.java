package dev.handoff.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.RandomSeeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Keeps and forgets blobs at random, and compares the store with a model of their uses.
@DisplayName("Contents that come and go at random")
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreBlobModelTest {

  private static final int STEPS = 60;
  private static final List<PackedBlob> CONTENTS =
      IntStream.range(0, 24)
          .mapToObj(number -> StoredPlanSamples.blob("content " + number))
          .toList();

  private final StoreKind kind;

  StoreBlobModelTest(StoreKind kind) {
    this.kind = kind;
  }

  /// Blobs of each plan, and plans that have ended.
  private static final class Model {
    final Map<Long, Set<String>> used = new TreeMap<>();
    final Set<Long> ended = new HashSet<>();
    long plans;

    Set<String> there() {
      return used.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    long any(Random random) {
      return 1 + random.nextLong(plans + 1);
    }
  }

  @Test
  void areThereExactlyAsLongAsSomebodyUsesThem() {
    RandomSeeds.each(kind == StoreKind.MEMORY ? 50 : 6, this::run);
  }

  private void run(Random random) {
    try (var home = new StoreHome(kind)) {
      var store = home.open();
      var plans = new StoredPlanSamples(store);
      var model = new Model();
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(10)) {
          case 0, 1, 2, 3, 4 -> keep(plans, model, random);
          case 5, 6 -> end(plans, model, random);
          case 7 -> reopen(plans, model, random);
          case 8 -> forget(plans, model, random);
          default -> {
            if (kind.durable()) {
              store.close();
              store = home.open();
              plans = new StoredPlanSamples(store);
            }
          }
        }
        assertThat(plans.there(CONTENTS)).isEqualTo(model.there());
        BlobCounts.check(kind, home);
      }
    }
  }

  /// Keeps several blobs at once; some requests claim known blobs that are not stored.
  private static void keep(StoredPlanSamples plans, Model model, Random random) {
    var there = model.there();
    long plan = model.any(random);
    model.plans = Math.max(model.plans, plan);
    var contents = some(random);
    var known = some(random).stream().map(PackedBlob::sha256).collect(Collectors.toSet());
    if (random.nextInt(3) > 0) {
      known.retainAll(there);
    }
    var own = contents.stream().map(PackedBlob::sha256).collect(Collectors.toSet());
    var missing = new HashSet<>(known);
    missing.removeAll(there);
    missing.removeAll(own);

    assertThat(plans.keep(plan, contents, known)).isEqualTo(missing);

    if (missing.isEmpty()) {
      var used = model.used.computeIfAbsent(plan, first -> new HashSet<>());
      used.addAll(own);
      used.addAll(known);
    }
  }

  private static List<PackedBlob> some(Random random) {
    var some = new ArrayList<PackedBlob>();
    for (int count = random.nextInt(5); count > 0; count--) {
      some.add(CONTENTS.get(random.nextInt(CONTENTS.size())));
    }
    return some;
  }

  private static void end(StoredPlanSamples plans, Model model, Random random) {
    long plan = model.any(random);
    if (plan <= model.plans && model.ended.add(plan)) {
      plans.end(plan);
    }
  }

  private static void reopen(StoredPlanSamples plans, Model model, Random random) {
    long plan = model.any(random);
    if (model.ended.remove(plan)) {
      plans.reopen(plan);
    }
  }

  private static void forget(StoredPlanSamples plans, Model model, Random random) {
    long upTo = model.any(random);
    plans.forgetUpTo(upTo);
    var forgotten = new HashMap<>(model.used);
    forgotten.keySet().removeIf(plan -> plan > upTo || !model.ended.contains(plan));
    model.used.keySet().removeAll(forgotten.keySet());
    // The engine never reuses the ids of forgotten plans; the test does, as a harder case.
    model.ended.removeIf(plan -> plan <= upTo);
  }
}
