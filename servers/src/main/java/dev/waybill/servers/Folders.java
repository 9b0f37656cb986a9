package dev.waybill.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Making and deleting whole folders. */
final class Folders {

  private static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x--x");

  private Folders() {}

  static Path temporary(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A temporary folder through which other users reach what they may. */
  static Path passable(String prefix) {
    Path folder = temporary(prefix);
    try {
      return Files.setPosixFilePermissions(folder, PASSABLE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies a folder with all that is in it, permissions and, for root, owners included. */
  static void copy(Path from, Path to) {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(
            path, to.resolve(from.relativize(path).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not copy " + from + " to " + to, e);
    }
  }

  /** Deletes a folder with all that is in it; files that vanish meanwhile are no failure. */
  static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try {
      Files.walkFileTree(folder, new Deleting());
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + folder, e);
    }
  }

  private static final class Deleting extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
        throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
