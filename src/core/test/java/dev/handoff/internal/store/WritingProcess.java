package dev.handoff.internal.store;

import static dev.handoff.internal.store.StageWait.get;

import dev.handoff.StoreSettings;
import dev.handoff.internal.store.open.StoreOpener;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Separate JVM that holds a file store, and writes until it is killed.
public final class WritingProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;

  private WritingProcess(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /// Starts the process, and returns when it holds the store.
  public static WritingProcess start(Path directory) throws IOException {
    var command =
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            WritingProcess.class.getName(),
            directory.toString());
    var process =
        new WritingProcess(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    String first = process.output.readLine();
    if (!"open".equals(first)) {
      throw new IOException("the process said " + first);
    }
    return process;
  }

  public long pid() {
    return process.pid();
  }

  /// Kills the process after this number of acknowledged batches.
  ///
  /// @return numbers of all acknowledged batches, including those acknowledged during the kill
  public List<Long> killAfter(int batches) throws IOException, InterruptedException {
    var acknowledged = new ArrayList<Long>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      acknowledged.add(Long.valueOf(line));
      if (acknowledged.size() == batches) {
        // Killed by its handle: `Process.destroyForcibly` would close the pipe before it is read.
        process.toHandle().destroyForcibly();
      }
    }
    process.waitFor();
    return acknowledged;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  public static void main(String[] arguments) {
    var settings =
        new StoreSettings(
            new StoreSettings.File(Path.of(arguments[0])),
            StoreHome.PARTITIONS,
            StoreSettings.Access.OWN,
            "pid " + ProcessHandle.current().pid());
    Store store = StoreOpener.open(settings);
    System.out.println("open");
    PartitionOwner owner = PartitionOwner.of(store, 0);
    while (true) {
      StoreBatch batch = owner.next(HistoryRows.row(owner.seq() + 1));
      if (get(owner.hand(batch)) instanceof WriteResult.Written(long seq)) {
        System.out.println(seq);
        if (System.out.checkError()) {
          // The parent process has closed the pipe.
          Runtime.getRuntime().halt(1);
        }
      }
      if (batch.seq() % 50 == 0) {
        owner.checkpoint(batch.seq(), 0, "states", true);
        get(store.trim(0, owner.incarnation(), 100));
      }
    }
  }
}
