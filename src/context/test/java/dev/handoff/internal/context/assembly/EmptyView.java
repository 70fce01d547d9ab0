package dev.handoff.internal.context.assembly;

import dev.handoff.context.WorkspaceView;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CountDownLatch;

/// Workspace without files.
final class EmptyView implements WorkspaceView {

  final CountDownLatch closed = new CountDownLatch(1);
  private final boolean git;

  EmptyView(boolean git) {
    this.git = git;
  }

  @Override
  public Path root() {
    return Path.of(".");
  }

  @Override
  public SortedSet<String> paths() {
    return Collections.emptySortedSet();
  }

  @Override
  public boolean hasGit() {
    return git;
  }

  @Override
  public List<String> notes() {
    return List.of("a note");
  }

  @Override
  public List<Hit> search(String text, int limit) {
    return List.of();
  }

  @Override
  public List<Hit> nearest(String text, int limit) {
    return List.of();
  }

  @Override
  public Optional<WorkspaceView.IndexedFile> file(String path) {
    return Optional.empty();
  }

  @Override
  public SortedSet<String> references(String path) {
    return Collections.emptySortedSet();
  }

  @Override
  public SortedSet<String> referrers(String path) {
    return Collections.emptySortedSet();
  }

  @Override
  public Set<String> terms(String text) {
    return Set.of();
  }

  @Override
  public List<WorkspaceView.GitCommit> commits(int limit) {
    return List.of();
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
