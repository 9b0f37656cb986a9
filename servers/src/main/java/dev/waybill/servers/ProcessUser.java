package dev.waybill.servers;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;

/**
 * Who database servers run as: the user of this JVM, but never root, which they refuse. Under root
 * they give up their rights for those of "nobody".
 */
final class ProcessUser {

  private static final String NOBODY = "65534";
  private static final boolean ROOT = new UnixSystem().getUid() == 0;

  private ProcessUser() {}

  /** The command line that runs {@code command} as that user, in the same process. */
  static List<String> command(List<String> command) {
    if (!ROOT) {
      return command;
    }
    List<String> unprivileged =
        new ArrayList<>(List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"));
    unprivileged.addAll(command);
    return unprivileged;
  }

  /** Gives a file to that user. */
  static void own(Path path) {
    if (!ROOT) {
      return;
    }
    try {
      UserPrincipal nobody =
          path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY);
      Files.setOwner(path, nobody);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
