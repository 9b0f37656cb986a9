package dev.waybill.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The command line asks the engine and the schema; it does none of their work. */
@AnalyzeClasses(packages = "dev.waybill.cli", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String ENGINE = "dev.waybill.engine";

  @ArchTest
  static final ArchRule commands_know_the_engines_front_door_its_failures_and_the_schema =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.waybill.cli",
              ENGINE,
              ENGINE + ".settings",
              ENGINE + ".capture",
              ENGINE + ".publish",
              "dev.waybill.outbox",
              "dev.waybill.wire",
              "java..",
              "picocli..",
              "org.slf4j.bridge",
              "com.fasterxml.jackson..",
              "org.jspecify..");

  /** Of the stages it takes the exceptions and the configuration, and starts none of them. */
  @ArchTest
  static final ArchRule no_command_runs_a_stage =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              ENGINE.replace(".", "\\.")
                  + "\\.(capture\\.(Source|Capture)|publish\\.(Broker|Publisher))");
}
