package dev.berth.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** The layers of DESIGN.md. Modules cannot see upwards anyway; these rules hold inside them and for the whole. */
class ArchitectureTest {
    private static final JavaClasses BERTH = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.berth");

    @Test
    void coreDependsOnTheJdkOnly() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.core..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "com.sun.management..", "dev.berth.core..", "org.jspecify.."));
    }

    @Test
    void coreUsesNoThreadsOrLocks() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.core..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Lock.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.util.concurrent.."));
    }

    @Test
    void coreDoesNoIo() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "java.net.."));
    }

    @Test
    void theLedgerDependsOnNeitherPlacementNorScheduling() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.core.ledger..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.berth.core.placement..", "dev.berth.core.queue..", "dev.berth.core.scheduling.."));
    }

    @Test
    void theEngineDependsOnCoreOnly() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.engine..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "java..", "dev.berth.core..", "dev.berth.engine..", "org.jspecify..", "org.slf4j.."));
    }

    @Test
    void theSandboxDoesNotDependOnBerth() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.sandbox..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.berth.core..", "dev.berth.engine..", "dev.berth.kubernetes..", "dev.berth.app.."));
    }

    @Test
    void httpDependsOnCoreAndEngineOnly() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.http..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "java..",
                        "com.sun.net.httpserver..",
                        "com.fasterxml.jackson.core..",
                        "dev.berth.core..",
                        "dev.berth.engine..",
                        "dev.berth.http..",
                        "org.jspecify..",
                        "org.slf4j.."));
    }

    @Test
    void theClientDependsOnNoOtherModule() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.client..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "java..", "com.fasterxml.jackson.core..", "dev.berth.client..", "org.jspecify.."));
    }

    @Test
    void onlyTheAppReadsTheClock() {
        check(noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.berth.core..",
                        "dev.berth.engine..",
                        "dev.berth.kubernetes..",
                        "dev.berth.http..",
                        "dev.berth.client..",
                        "dev.berth.sandbox..")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(InstantSource.class, "system")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime"));
    }

    @Test
    void packagesOfTheCoreHaveNoCycles() {
        check(slices().matching("dev.berth.core.(**)").should().beFreeOfCycles());
    }

    private static void check(ArchRule rule) {
        rule.check(BERTH);
    }
}
