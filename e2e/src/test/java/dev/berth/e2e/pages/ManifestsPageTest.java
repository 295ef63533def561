package dev.berth.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifests that the pages apply, at the paths that they name. */
final class ManifestsPageTest extends UserPage {
    private static final Path ROLES = Path.of("../app/src/main/resources/install");

    @Test
    void everyManifestIsAppliedAndItsPodsRun() {
        run("create namespace globalreserve-test").ok();
        apply("globalreserve", "deployment/globalreserve-account.yaml");
        apply("globalreserve", "deployment/globalreserve-deployment.yaml");
        apply("globalreserve", "deployment/test.yaml");
        apply("node-annotation", "./manifests/all-in-one.yaml");
        apply("devices", "deploy/extender.yaml");
        apply("devices", "deploy/deployment.yaml");
        apply("devices", "config/extendedresourceclaim.yaml");
        apply("devices", "config/nginx.yaml");

        for (String deployment : List.of("globalreserve-scheduler", "grtest")) {
            run("rollout status deployment/%s -n globalreserve-test --timeout=60s".formatted(deployment))
                    .ok();
        }
        for (String deployment :
                List.of("test-scheduler", "extended-resource-scheduler", "extended-resource-controller")) {
            run("rollout status deployment/%s -n kube-system --timeout=60s".formatted(deployment))
                    .ok();
        }
        eventually(() -> assertThat(podNames("app=gpu")).hasSize(1));
        assertThat(unschedulableMessage(podNames("app=gpu").get(0)))
                .as("nobody has said that there is a device")
                .contains("extended resources");
    }

    @ParameterizedTest
    @CsvSource({
        "globalreserve, deployment/globalreserve-account.yaml",
        "node-annotation, manifests/all-in-one.yaml",
        "devices, deploy/extender.yaml",
        "devices, deploy/deployment.yaml"
    })
    void theRulesOfEachExampleManifestEqualThoseThatInstallPrints(String tool, String manifest) throws IOException {
        StringBuilder role = new StringBuilder(Files.readString(ROLES.resolve("role.yaml")));
        try (DirectoryStream<Path> ofDoors = Files.newDirectoryStream(ROLES, "role-*.yaml")) {
            for (Path rules : ofDoors) {
                role.append(Files.readString(rules));
            }
        }
        assertThat(rules(documents(Examples.read(tool, manifest))))
                .as("the rules of %s, to be copied from what berth install prints", manifest)
                .containsExactlyInAnyOrderElementsOf(rules(documents(role.toString())));
    }

    private void apply(String tool, String manifest) {
        assertThat(kubectlIn(tool).run("apply -f " + manifest).ok().err())
                .as("there is nothing to warn of in %s", manifest)
                .isEmpty();
    }

    private static List<JsonNode> rules(List<JsonNode> documents) {
        List<JsonNode> rules = new ArrayList<>();
        documents.stream()
                .filter(document -> document.path("kind").asText().equals("ClusterRole"))
                .findFirst()
                .orElseThrow()
                .path("rules")
                .forEach(rules::add);
        return rules;
    }

    private static List<JsonNode> documents(String manifest) throws IOException {
        YAMLMapper yaml = new YAMLMapper();
        try (MappingIterator<JsonNode> documents =
                yaml.readerFor(JsonNode.class).readValues(manifest)) {
            return documents.readAll();
        }
    }
}
