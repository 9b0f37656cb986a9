package dev.waybill.servers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
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
    byte[] archive = archive(version);
    return Cache.folder(
        "postgres-" + version + "-" + checksum(archive), folder -> unpack(archive, folder));
  }

  private static byte[] archive(int version) {
    try (InputStream jar =
        PostgresBinaries.class.getResourceAsStream("postgres/" + version + ".jar")) {
      if (jar == null) {
        throw new IllegalArgumentException("there are no binaries of PostgreSQL " + version);
      }
      return jar.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String checksum(byte[] archive) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(archive);
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static void unpack(byte[] archive, Path folder) throws IOException {
    try (ZipInputStream jar = new ZipInputStream(new ByteArrayInputStream(archive))) {
      for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
        if (entry.getName().endsWith(".txz")) {
          unpackTar(new TarArchiveInputStream(new XZInputStream(jar)), folder);
          return;
        }
      }
    }
    throw new IOException("the archive of PostgreSQL's binaries holds no .txz");
  }

  private static void unpackTar(TarArchiveInputStream tar, Path folder) throws IOException {
    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      Path target = folder.resolve(entry.getName()).normalize();
      if (!target.startsWith(folder)) {
        throw new IOException("the archive names a file outside of itself: " + entry.getName());
      }
      unpackEntry(tar, entry, target);
    }
  }

  private static void unpackEntry(TarArchiveInputStream tar, TarArchiveEntry entry, Path target)
      throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.resolveSibling(""));
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, target);
      boolean executable = (entry.getMode() & 0b001_000_000) != 0;
      Files.setPosixFilePermissions(
          target, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }
}
