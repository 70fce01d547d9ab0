package dev.handoff.internal.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Optional;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.Config;

/// Location of the git repository around a directory. Determined without opening the repository,
/// because JGit then reads the system configuration and measures the disk's timestamps.
///
/// @param workTree root of the work tree
/// @param git git directory of this work tree
/// @param common git directory shared by all work trees
public record GitPlace(Path workTree, Path git, Path common) {

  private static final String LINK = "gitdir:";
  private static final int LARGEST = 1 << 20;

  /// Nearest repository at or above a directory.
  public static Optional<GitPlace> around(Path root) {
    for (Path directory = root; directory != null; directory = directory.getParent()) {
      var place = at(directory);
      if (place.isPresent()) {
        return place;
      }
    }
    return Optional.empty();
  }

  private static Optional<GitPlace> at(Path directory) {
    var entry = directory.resolve(".git");
    try {
      var git = Files.isRegularFile(entry) ? linked(directory, entry) : entry;
      if (!Files.isRegularFile(git.resolve("HEAD"))) {
        return Optional.empty();
      }
      var shared = git.resolve("commondir");
      var common = Files.isRegularFile(shared) ? git.resolve(text(shared).strip()) : git;
      return Optional.of(new GitPlace(directory, git.normalize(), common.normalize()));
    } catch (IOException | RuntimeException unreadable) {
      return Optional.empty();
    }
  }

  /// Resolves `.git` if it is a file with a path, as in linked work trees and submodules.
  private static Path linked(Path directory, Path file) throws IOException {
    var line = text(file).strip();
    return line.startsWith(LINK) ? directory.resolve(line.substring(LINK.length()).strip()) : file;
  }

  /// Reads a small file. The file is untrusted; a size above the limit is no valid git file.
  private static String text(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      var bytes = in.readNBytes(LARGEST + 1);
      if (bytes.length > LARGEST) {
        throw new IOException("%s is too large".formatted(file));
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /// Ignore rules for a root inside the work tree, in rising precedence: user, repository, then the
  /// directories above the root.
  public IgnoreRules rulesAbove(Path root, IgnoreProblems problems) {
    var rules = IgnoreRules.NONE;
    var users = excludesFile();
    if (users.isPresent()) {
      rules = rules.below("", users.get(), problems);
    }
    rules = rules.below("", common.resolve("info").resolve("exclude"), problems);
    var directories = new ArrayDeque<Path>();
    for (Path one = root; !one.equals(workTree); one = one.getParent()) {
      directories.push(one);
    }
    var directory = workTree;
    var name = "";
    for (var next : directories) {
      rules = rules.below(name, directory.resolve(".gitignore"), problems);
      name = next.getFileName().toString();
      directory = next;
    }
    return rules;
  }

  private Optional<Path> excludesFile() {
    return excludesFile(common.resolve("config"))
        .or(() -> home(".gitconfig").flatMap(GitPlace::excludesFile))
        .or(() -> settings("config").flatMap(GitPlace::excludesFile))
        .or(() -> settings("ignore"));
  }

  private static Optional<Path> excludesFile(Path config) {
    if (!Files.isRegularFile(config)) {
      return Optional.empty();
    }
    try {
      var parsed = new Config();
      parsed.fromText(text(config));
      return Optional.ofNullable(parsed.getString("core", null, "excludesFile"))
          .flatMap(
              path -> path.startsWith("~/") ? home(path.substring(2)) : Optional.of(Path.of(path)));
    } catch (IOException | ConfigInvalidException | RuntimeException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<Path> home(String name) {
    return Optional.ofNullable(System.getProperty("user.home"))
        .map(Path::of)
        .map(p -> p.resolve(name));
  }

  private static Optional<Path> settings(String name) {
    return Optional.ofNullable(System.getenv("XDG_CONFIG_HOME"))
        .filter(path -> !path.isBlank())
        .map(Path::of)
        .or(() -> home(".config"))
        .map(path -> path.resolve("git").resolve(name));
  }
}
