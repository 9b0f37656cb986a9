package dev.waybill.servers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The broker's class path: the jars that the build puts beside this class, used where they lie in a
 * folder of classes, unpacked from a jar.
 */
final class KafkaLibraries {

  private static final String PREFIX = "dev/waybill/servers/kafka/";

  private KafkaLibraries() {}

  static String classPath() {
    Path own = own();
    Path libraries = Files.isDirectory(own) ? own.resolve(PREFIX) : unpacked(own);
    return own + File.pathSeparator + libraries + File.separator + "*";
  }

  private static Path own() {
    try {
      return Path.of(
          KafkaLibraries.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path unpacked(Path jar) {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> entries =
          zip.stream().filter(e -> !e.isDirectory() && e.getName().startsWith(PREFIX)).toList();
      // The sum over names and CRCs changes with any of the jars.
      long checksum =
          entries.stream().mapToLong(e -> 31 * e.getCrc() + e.getName().hashCode()).sum();
      return Cache.folder(
          "kafka-" + Long.toHexString(checksum), folder -> unpack(zip, entries, folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void unpack(ZipFile zip, List<? extends ZipEntry> entries, Path folder)
      throws IOException {
    for (ZipEntry entry : entries) {
      try (InputStream in = zip.getInputStream(entry)) {
        Files.copy(in, folder.resolve(entry.getName().substring(PREFIX.length())));
      }
    }
  }
}
