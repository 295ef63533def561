package dev.berth.e2e;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.QuantityFormat;
import dev.berth.core.resource.QuantitySuffix;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The layers of DESIGN.md. Modules cannot see upwards anyway; these rules hold inside them and for the whole. */
class ArchitectureTest {
    private static final JavaClasses BERTH = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.berth");

    /** What people install: everything but the sandbox, what is built on it, and the tests. */
    private static final String[] PRODUCT = {
        "dev.berth.core..",
        "dev.berth.engine..",
        "dev.berth.kubernetes..",
        "dev.berth.http..",
        "dev.berth.client..",
        "dev.berth.app.."
    };

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
    void theEngineDependsOnCoreAndTheClientOnly() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.engine..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "java..",
                        "dev.berth.client..",
                        "dev.berth.core..",
                        "dev.berth.engine..",
                        "org.jspecify..",
                        "org.slf4j.."));
    }

    @Test
    void ofBerthTheSandboxUsesQuantitiesAndSelectorsOnly() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.sandbox..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(concat(PRODUCT, "dev.berth.up..", "dev.berth.testkit.."))
                        .and(not(belongToAnyOf(
                                Quantity.class,
                                QuantityFormat.class,
                                QuantitySuffix.class,
                                Labels.class,
                                LabelSelector.class,
                                Requirement.class)))));
    }

    @Test
    void theProductDoesNotDependOnTheSandbox() {
        check(noClasses()
                .that()
                .resideInAnyPackage(PRODUCT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.berth.sandbox..", "dev.berth.up..", "dev.berth.testkit..", "dev.berth.bench.."));
    }

    @Test
    void kubeclientDependsOnNoOtherModule() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.berth.kubeclient..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(concat(PRODUCT, "dev.berth.sandbox..", "dev.berth.up..", "dev.berth.testkit..")));
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
                        "dev.berth.kubeclient..",
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
    void packagesHaveNoCycles() {
        check(slices().assignedFrom(new ByPackage()).should().beFreeOfCycles());
    }

    /** Without it a rule about packages that are not on the class path would hold. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "core",
                "engine",
                "kubeclient",
                "kubernetes",
                "http",
                "client",
                "app",
                "sandbox",
                "up",
                "testkit",
                "bench"
            })
    void everyModuleIsOnTheClassPath(String module) {
        assertThat(BERTH).anyMatch(type -> (type.getPackageName() + ".").startsWith("dev.berth.%s.".formatted(module)));
    }

    /** Each package is a slice, also the root package of a module. */
    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "all packages of all modules";
        }
    }

    private static String[] concat(String[] packages, String... more) {
        return Stream.concat(Arrays.stream(packages), Arrays.stream(more)).toArray(String[]::new);
    }

    private static void check(ArchRule rule) {
        rule.check(BERTH);
    }
}
