package dev.waybill.servers;

import java.nio.file.Path;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked from the archives that the build puts beside this class. */
final class PostgresBinaries {

  private PostgresBinaries() {}

  /**
   * The folder with {@code bin}, {@code lib} and {@code share} of a major version.
   *
   * @throws IllegalArgumentException for a version that this module does not hold
   */
  static Path folder(int version) {
    Archive archive = new Archive("postgres/" + version + ".jar");
    if (!archive.exists()) {
      throw new IllegalArgumentException("there are no binaries of PostgreSQL " + version);
    }
    return Cache.folder(
        "postgres-" + version + "-" + archive.checksum(),
        folder -> archive.unpack(".txz", XZInputStream::new, folder));
  }
}
