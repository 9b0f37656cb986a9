package dev.waybill.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * MySQL's data folder as it is before the first start. It is made once and then copied, since
 * making it takes seconds. The superuser is in it, and the certificates are.
 */
final class MySqlData {

  static final String REDO_LOG = "32M";

  private static final String USERS =
      """
      ALTER USER 'root'@'localhost' IDENTIFIED BY 'root';
      CREATE USER 'root'@'%' IDENTIFIED BY 'root';
      GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;
      GRANT PROXY ON ''@'' TO 'root'@'%' WITH GRANT OPTION;
      """;

  private static final List<String> OPTIONS =
      List.of(
          "--initialize-insecure",
          "--disable-log-bin",
          "--innodb-flush-method=nosync",
          "--innodb-use-native-aio=OFF",
          "--innodb-redo-log-capacity=" + REDO_LOG);

  private MySqlData() {}

  /**
   * A folder to copy, made now if no JVM has done so before.
   *
   * @param process runs mysqld for that
   */
  static Path initialised(Path base, DatabaseProcess process) {
    String key = Integer.toHexString(OPTIONS.hashCode() ^ USERS.hashCode());
    return Cache.folder(
            base.getFileName() + "-data-" + key,
            folder -> Folders.copy(initialise(base, process), folder.resolve("data")))
        .resolve("data");
  }

  private static Path initialise(Path base, DatabaseProcess process) throws IOException {
    Path data = process.folder().resolve("first");
    Path users = Files.writeString(process.folder().resolve("users.sql"), USERS);
    List<String> command = new ArrayList<>();
    command.add(base.resolve("bin").resolve("mysqld").toString());
    command.add("--no-defaults");
    command.add("--basedir=" + base);
    command.add("--datadir=" + data);
    command.add("--init-file=" + users);
    command.addAll(OPTIONS);
    process.run(command);
    // Every server draws a UUID of its own.
    Files.delete(data.resolve("auto.cnf"));
    return data;
  }
}
