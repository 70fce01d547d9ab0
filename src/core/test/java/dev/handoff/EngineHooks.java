package dev.handoff;

import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.internal.store.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Gives tests of other packages access to an engine's store decorator and apply implementation.
public final class EngineHooks {

  private EngineHooks() {}

  public static HandoffBuilder store(HandoffBuilder builder, UnaryOperator<Store> decorator) {
    return builder.around(decorator);
  }

  public static HandoffBuilder applies(
      HandoffBuilder builder, Function<ContentReader, ApplyRunner.Work> maker) {
    return builder.applies(maker);
  }

  /// Engine on a file store, whose jobs of type `write` create three small files.
  public static Handoff ofThreeFiles(Path data, Function<ContentReader, ApplyRunner.Work> maker) {
    var builder =
        Handoff.builder()
            .directory(data)
            .handler("write", Object.class, (payload, job) -> threeFiles(job));
    return applies(builder, maker).start();
  }

  private static Object threeFiles(JobContext job) throws Exception {
    for (var name : List.of("a.txt", "b.txt", "c.txt")) {
      job.changes().record(Change.create(name, name)).toCompletableFuture().get().orThrow();
    }
    return "written";
  }
}
