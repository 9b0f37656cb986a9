package dev.waybill.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * A jar that the build puts beside this class, with a compressed tar of a server's programs in it.
 *
 * @param resource the jar's name
 */
record Archive(String resource) {

  private static final Map<Archive, String> CHECKSUMS = new ConcurrentHashMap<>();

  /** How the tar was compressed. */
  @FunctionalInterface
  interface Compression {
    InputStream undo(InputStream compressed) throws IOException;
  }

  boolean exists() {
    return Archive.class.getResource(resource) != null;
  }

  /** Changes with the contents. */
  String checksum() {
    return CHECKSUMS.computeIfAbsent(this, Archive::compute);
  }

  private static String compute(Archive archive) {
    try (DigestInputStream in =
        new DigestInputStream(archive.open(), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest(), 0, 8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Unpacks the first tar of that ending.
   *
   * @throws IOException also if there is none
   */
  void unpack(String ending, Compression compression, Path folder) throws IOException {
    try (ZipInputStream jar = new ZipInputStream(open())) {
      for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
        if (entry.getName().endsWith(ending)) {
          unpackTar(new TarArchiveInputStream(compression.undo(jar)), folder);
          return;
        }
      }
    }
    throw new IOException(resource + " holds no " + ending);
  }

  private InputStream open() throws IOException {
    InputStream jar = Archive.class.getResourceAsStream(resource);
    if (jar == null) {
      throw new IOException("the build has left no " + resource);
    }
    return jar;
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
