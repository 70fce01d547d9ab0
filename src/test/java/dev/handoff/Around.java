package dev.handoff;

import dev.handoff.plan.Applies;
import dev.handoff.plan.change.Contents;
import dev.handoff.store.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Lets tests of other packages put something around an engine's store, or in the place of what
/// writes into directories.
public final class Around {

  private Around() {}

  public static HandoffBuilder store(HandoffBuilder builder, UnaryOperator<Store> decorator) {
    return builder.around(decorator);
  }

  public static HandoffBuilder applies(
      HandoffBuilder builder, Function<Contents, Applies.Work> maker) {
    return builder.applies(maker);
  }

  /// An engine on a file store. Its jobs of type `write` make three small files.
  public static Handoff ofThreeFiles(Path data, Function<Contents, Applies.Work> maker) {
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
