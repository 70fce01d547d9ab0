package dev.handoff.internal.store;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/// PostgreSQL programs, unpacked once per machine. The server refuses to run as root; in that case
/// the programs run as `nobody`.
///
/// @param as command prefix that changes the user
record PostgresBinaries(Path home, List<String> as) {

  /// Ways to drop root privileges; the first that works is used. In a user namespace, the process
  /// appears as `nobody` and owns root's files.
  private static final List<List<String>> AS_NOBODY =
      List.of(
          List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
          List.of("runuser", "-u", "nobody", "--"),
          List.of("unshare", "--user"));

  static PostgresBinaries find() throws IOException {
    Path home = unpacked();
    if (!"root".equals(System.getProperty("user.name"))) {
      return new PostgresBinaries(home, List.of());
    }
    return AS_NOBODY.stream()
        .map(as -> new PostgresBinaries(home, as))
        .filter(PostgresBinaries::works)
        .findFirst()
        .orElseThrow(() -> new IOException("root cannot become nobody here: " + AS_NOBODY));
  }

  private boolean works() {
    try {
      return run("postgres", List.of("--version")).waitFor() == 0;
    } catch (UncheckedIOException | InterruptedException missing) {
      return false;
    }
  }

  /// Runs a program in the binaries' directory, which every user can enter.
  Process run(String program, List<String> arguments) {
    var command = new ArrayList<>(as);
    command.add(home.resolve("bin").resolve(program).toString());
    command.addAll(arguments);
    try {
      return new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Creates the data directory of a new server.
  Path newCluster() throws IOException {
    Path parent = Files.createTempDirectory("handoff-postgres");
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path data = parent.resolve("data");
    var initdb =
        run(
            "initdb",
            List.of(
                "--pgdata=" + data,
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync"));
    String output = new String(initdb.getInputStream().readAllBytes());
    try {
      if (initdb.waitFor() != 0) {
        throw new IOException("initdb: " + output);
      }
    } catch (InterruptedException impatient) {
      throw new IOException("initdb was interrupted", impatient);
    }
    return data;
  }

  private static Path unpacked() throws IOException {
    byte[] archive = archive();
    var crc = new CRC32C();
    crc.update(archive);
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    Path home = parent.resolve("handoff-postgres-%x".formatted(crc.getValue()));
    if (!Files.isDirectory(home)) {
      Path unfinished = Files.createTempDirectory(parent, "handoff-unpacking");
      unpack(archive, unfinished);
      Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwxr-xr-x"));
      try {
        Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileAlreadyExistsException | DirectoryNotEmptyException other) {
        // A concurrent test run has unpacked the binaries first.
      }
    }
    return home;
  }

  private static byte[] archive() throws IOException {
    String system = System.getProperty("os.name").startsWith("Mac") ? "Darwin" : "Linux";
    String machine = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
    try (InputStream stream = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, machine)) {
      return stream.readAllBytes();
    }
  }

  private static void unpack(byte[] archive, Path into) throws IOException {
    try (var tar =
        new TarArchiveInputStream(new XZCompressorInputStream(new ByteArrayInputStream(archive)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path target = into.resolve(entry.getName()).normalize();
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else if (entry.isSymbolicLink()) {
          Files.createDirectories(target.getParent());
          Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(tar, target, StandardCopyOption.REPLACE_EXISTING);
          boolean program = (entry.getMode() & 0100) != 0;
          Files.setPosixFilePermissions(
              target, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
        }
      }
    }
  }
}
