package dev.berth.sandbox;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The packages of the sandbox depend on each other in one direction only. The README has the table of packages. */
class PackageDependenciesTest {
    private static final JavaClasses SANDBOX = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.berth.sandbox");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.berth.sandbox.(**)").should().beFreeOfCycles().check(SANDBOX);
    }

    @Test
    void packagesWithTheirSubpackagesHaveNoCycles() {
        slices().matching("dev.berth.sandbox.(*)..").should().beFreeOfCycles().check(SANDBOX);
    }

    @Test
    void theApiServerDependsOnNoClient() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.berth.sandbox.client..", "dev.berth.sandbox.controller..", "dev.berth.sandbox.kubelet..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.berth.sandbox.client..", "dev.berth.sandbox.controller..", "dev.berth.sandbox.kubelet..")
                .check(SANDBOX);
    }

    @Test
    void controllersAndKubeletsReachTheApiServerByTheClientOnly() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.berth.sandbox.controller..", "dev.berth.sandbox.kubelet..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.berth.sandbox.apiserver..",
                        "dev.berth.sandbox.endpoints..",
                        "dev.berth.sandbox.registry..",
                        "dev.berth.sandbox.storage..")
                .check(SANDBOX);
    }
}
