package dev.waybill.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Unpacked archives and what is made of them, kept between runs and shared by all JVMs of a user. A
 * folder appears under its final name only once it is complete, so JVMs need no lock: whoever comes
 * second uses the first one's work. Readable by all users, since no database runs as root.
 */
final class Cache {

  private static final Set<PosixFilePermission> READABLE_BY_ALL =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private static final String ROOT = "waybill.servers.cache";

  private Cache() {}

  /** Fills an empty folder. */
  @FunctionalInterface
  interface Filling {
    void into(Path folder) throws IOException;
  }

  /**
   * The folder for {@code key}, filled now if no JVM has done so before.
   *
   * @param key names the contents and changes with them
   */
  static Path folder(String key, Filling filling) {
    Path folder = root().resolve(key);
    if (Files.isDirectory(folder)) {
      return folder;
    }
    try {
      Files.createDirectories(root());
      Files.setPosixFilePermissions(root(), READABLE_BY_ALL);
      Path draft = Files.createTempDirectory(root(), key + ".draft");
      try {
        filling.into(draft);
        openUp(draft);
        publish(draft, folder);
      } finally {
        Folders.delete(draft);
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("could not unpack into " + folder, e);
    }
  }

  private static void openUp(Path draft) throws IOException {
    try (Stream<Path> all = Files.walk(draft)) {
      for (Path folder : all.filter(Files::isDirectory).toList()) {
        Files.setPosixFilePermissions(folder, READABLE_BY_ALL);
      }
    }
  }

  private static void publish(Path draft, Path folder) throws IOException {
    try {
      Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
      // Another JVM was faster; its folder holds the same.
    }
  }

  /** Where a JVM with a temporary folder of its own finds what it shares with its parent. */
  static String rootOption() {
    return "-D" + ROOT + "=" + root();
  }

  private static Path root() {
    return Path.of(
        System.getProperty(
            ROOT,
            System.getProperty("java.io.tmpdir")
                + File.separator
                + "waybill-servers-"
                + System.getProperty("user.name")));
  }
}
