package dev.waybill.consumer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;

@AnalyzeClasses(
    packages = "dev.waybill.consumer",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String ROOT = "dev.waybill.consumer";

  @ArchTest
  static final ArchRule ONLY_POLL_KNOWS_THE_KAFKA_CONSUMER =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".poll..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.kafka.clients.consumer..");

  @ArchTest
  static final ArchRule ONLY_PARK_KNOWS_PRODUCER_AND_ADMIN =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".park..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka.clients.producer..", "org.apache.kafka.clients.admin..");

  @ArchTest
  static final ArchRule NOBODY_ELSE_KNOWS_KAFKA =
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT + ".park..", ROOT + ".poll..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.kafka..");

  @ArchTest static final ArchRule POLL_KNOWS_THE_WIRE_ALONE = mayUse("poll", "wire");

  @ArchTest static final ArchRule GUARD_KNOWS_EVENTS_ALONE = mayUse("guard", "event");

  @ArchTest static final ArchRule HANDLE_KNOWS_GUARD = mayUse("handle", "event", "consumer.guard");

  @ArchTest
  static final ArchRule COMMIT_KNOWS_POLL_AND_HANDLE =
      mayUse("commit", "consumer.poll", "consumer.handle");

  @ArchTest
  static final ArchRule PARK_KNOWS_POLL_AND_HANDLE =
      mayUse("park", "event", "wire", "consumer.poll", "consumer.handle");

  @ArchTest
  static final ArchRule NO_STAGE_KNOWS_THE_FRONT_DOOR =
      noClasses()
          .that()
          .resideInAPackage(ROOT + ".(*)..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT);

  @ArchTest
  static final ArchRule STAGES_HAVE_NO_CYCLE =
      slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule ONE_CLASS_KNOWS_MICROMETER =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(ROOT + ".ConsumerMetrics")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.micrometer..");

  @ArchTest
  static final ArchRule ONE_CLASS_KNOWS_JACKSON =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(ROOT + ".handle.Jackson2Decoder")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.fasterxml..");

  private static ArchRule mayUse(String stage, String... others) {
    List<String> allowed =
        new ArrayList<>(
            List.of(
                ROOT + "." + stage,
                "", // arrays of primitives
                "java..",
                "javax.sql..",
                "org.jspecify..",
                "org.apache.kafka..", // the rules above say who
                "com.fasterxml.."));
    for (String other : others) {
      allowed.add("dev.waybill." + other);
    }
    return classes()
        .that()
        .resideInAPackage(ROOT + "." + stage)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed.toArray(String[]::new));
  }
}
