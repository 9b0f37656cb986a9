package dev.waybill;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The package table: this module needs the JDK alone, and its packages only what they may. */
@AnalyzeClasses(packages = "dev.waybill", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest static final ArchRule EVENT_NEEDS_NOTHING = only("event", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule OUTBOX_NEEDS_EVENT =
      only("outbox", "java..", "org.jspecify..", "dev.waybill.event");

  @ArchTest
  static final ArchRule WIRE_NEEDS_EVENT_AND_NO_DATABASE =
      only(
          "wire",
          "java.lang..",
          "java.util..",
          "java.time..",
          "java.nio..",
          "org.jspecify..",
          "dev.waybill.event");

  private static ArchRule only(String name, String... others) {
    String itself = "dev.waybill." + name;
    String[] allowed = new String[others.length + 1];
    System.arraycopy(others, 0, allowed, 0, others.length);
    allowed[others.length] = itself;
    return classes()
        .that()
        .resideInAPackage(itself)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed);
  }
}
