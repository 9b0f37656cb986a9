package dev.waybill.cli;

import dev.waybill.engine.EngineConfig;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the configuration. */
final class ConfigFile {

  @Option(
      names = {"-c", "--config"},
      required = true,
      paramLabel = "FILE",
      description = "the YAML file; environment variables WAYBILL_... win over it")
  private Path file;

  /** Reads the file and the environment of this process. */
  EngineConfig read() {
    return EngineConfig.read(file, System.getenv());
  }
}
