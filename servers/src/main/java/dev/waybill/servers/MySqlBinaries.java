package dev.waybill.servers;

import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * MySQL's programs, unpacked from the archive that the build puts beside this class. It holds those
 * for Linux on amd64, and there is no other artifact.
 */
final class MySqlBinaries {

  private static final Archive ARCHIVE = new Archive("mysql/8.0.jar");

  private MySqlBinaries() {}

  /**
   * The folder with {@code bin}, {@code lib} and {@code share}.
   *
   * @throws IllegalStateException on another platform
   */
  static Path folder() {
    requirePlatform(System.getProperty("os.name"), System.getProperty("os.arch"));
    return Cache.folder(
        "mysql-" + ARCHIVE.checksum(),
        folder -> ARCHIVE.unpack("Linux-amd64.tar.gz", GZIPInputStream::new, folder));
  }

  static void requirePlatform(String system, String architecture) {
    if (!system.equals("Linux") || !architecture.equals("amd64")) {
      throw new IllegalStateException(
          "There is no MySQL for %s on %s as a Maven artifact, only for Linux on amd64. Leave out what needs it: PostgreSQL is there."
              .formatted(system, architecture));
    }
  }

  /** Changes with the contents. */
  static String checksum() {
    return ARCHIVE.checksum();
  }
}
