package dev.waybill.engine;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;

/** Which package may know which: a stage is a package, imports only go down. */
@AnalyzeClasses(
    packages = "dev.waybill.engine",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String ENGINE = "dev.waybill.engine";
  private static final String CAPTURE = ENGINE + ".capture..";
  private static final String ROUTE = ENGINE + ".route..";
  private static final String PUBLISH = ENGINE + ".publish..";
  private static final String ACKNOWLEDGE = ENGINE + ".acknowledge..";

  @ArchTest
  static final ArchRule capture_alone_knows_debezium =
      noClasses()
          .that()
          .resideOutsideOfPackage(CAPTURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.debezium..", "org.apache.kafka.connect..");

  @ArchTest
  static final ArchRule publish_alone_knows_the_kafka_clients =
      noClasses()
          .that()
          .resideOutsideOfPackage(PUBLISH)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka.clients..", "org.apache.kafka.common..");

  @ArchTest
  static final ArchRule capture_knows_no_other_stage =
      noClasses()
          .that()
          .resideInAPackage(CAPTURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ENGINE, ROUTE, PUBLISH, ACKNOWLEDGE, "dev.waybill.wire..");

  @ArchTest
  static final ArchRule route_knows_only_what_was_captured =
      noClasses()
          .that()
          .resideInAPackage(ROUTE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ENGINE, PUBLISH, ACKNOWLEDGE);

  @ArchTest
  static final ArchRule route_has_no_clock_and_does_no_input_or_output =
      noClasses()
          .that()
          .resideInAPackage(ROUTE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.net..", "java.nio.file..", "java.sql..")
          .orShould()
          .dependOnClassesThat(
              resideInAPackage("java.io..").and(not(assignableTo(IOException.class))))
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.time.Clock.class);

  @ArchTest
  static final ArchRule publish_knows_neither_acknowledge_nor_the_engine =
      noClasses()
          .that()
          .resideInAPackage(PUBLISH)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ENGINE, ACKNOWLEDGE);

  @ArchTest
  static final ArchRule nobody_uses_what_kafka_keeps_to_itself =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka..internals..", "org.apache.kafka..internal..");

  @ArchTest
  static final ArchRule acknowledge_knows_only_what_was_captured =
      noClasses()
          .that()
          .resideInAPackage(ACKNOWLEDGE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ENGINE, ROUTE, PUBLISH);

  @ArchTest
  static final ArchRule settings_and_http_know_nothing_of_engines =
      classes()
          .that()
          .resideInAnyPackage(ENGINE + ".settings..", ENGINE + ".http..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "com.sun.net.httpserver..",
              "org.jspecify..",
              "org.yaml.snakeyaml..",
              ENGINE + ".settings..",
              ENGINE + ".http..");

  @ArchTest
  static final ArchRule packages_have_no_cycles =
      slices().matching(ENGINE + ".(*)..").should().beFreeOfCycles();
}
