package dev.waybill.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What mysqld takes from the system: libaio and libnuma. Debian 13 and Ubuntu 24.04 have the same
 * libaio under another file name, which mysqld does not look for; it is given a link.
 */
final class MySqlLibraries {

  static final Path RENAMED_LIBAIO = Path.of("/usr/lib/x86_64-linux-gnu/libaio.so.1t64");

  /** What a shell says of a program that it does not find, and ld.so of a library. */
  private static final int NOT_FOUND = 127;

  private MySqlLibraries() {}

  /** Variables that mysqld is to be started with. */
  static Map<String, String> environment(Path folder, Path renamedLibaio) {
    if (!Files.exists(renamedLibaio)) {
      return Map.of();
    }
    try {
      Path own = Files.createDirectories(folder.resolve("lib"));
      Files.createSymbolicLink(own.resolve("libaio.so.1"), renamedLibaio);
      return Map.of("LD_LIBRARY_PATH", own.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Looks whether mysqld finds all it needs.
   *
   * @throws IllegalStateException if not; it names the library and where to get it
   */
  static void require(Path mysqld, Map<String, String> environment) {
    ProcessBuilder program =
        new ProcessBuilder(List.of(mysqld.toString(), "--version")).redirectErrorStream(true);
    program.environment().putAll(environment);
    try {
      Process process = program.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() == NOT_FOUND) {
        throw new IllegalStateException(
            "MySQL does not start, a library of the system is missing: %s. Debian 12: apt-get install libaio1 libnuma1. Debian 13, Ubuntu 24.04: apt-get install libaio1t64 libnuma1."
                .formatted(said.strip()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw ServerProcess.interrupted(e);
    }
  }
}
