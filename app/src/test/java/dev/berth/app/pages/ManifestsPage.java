package dev.berth.app.pages;

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
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests that the pages apply, at the paths that they name. */
abstract class ManifestsPage extends UserPage {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final Path RIGHTS = Path.of("src/main/resources/install");

    ManifestsPage(Opening opening) {
        super(opening);
    }

    @Test
    void everyManifestIsAppliedAndItsPodsRun() {
        type("create namespace globalreserve-test").ok();
        apply("deployment/globalreserve-account.yaml");
        apply("deployment/globalreserve-deployment.yaml");
        apply("deployment/test.yaml");
        apply("manifests/all-in-one.yaml");
        apply("deploy/extender.yaml");
        apply("deploy/deployment.yaml");
        apply("config/extendedresourceclaim.yaml");
        apply("config/nginx.yaml");

        for (String deployment : List.of("globalreserve-scheduler", "grtest")) {
            type("rollout status deployment/%s -n globalreserve-test --timeout=60s".formatted(deployment))
                    .ok();
        }
        for (String deployment :
                List.of("test-scheduler", "extended-resource-scheduler", "extended-resource-controller")) {
            type("rollout status deployment/%s -n kube-system --timeout=60s".formatted(deployment))
                    .ok();
        }
        eventually(() -> assertThat(podsOf("app=gpu")).hasSize(1));
        assertThat(whyPending(podsOf("app=gpu").get(0)))
                .as("nobody has said that there is a device")
                .contains("extended resources");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deployment/globalreserve-account.yaml",
                "manifests/all-in-one.yaml",
                "deploy/extender.yaml",
                "deploy/deployment.yaml"
            })
    void everyAccountMayDoWhatBerthNeedsAndNoMore(String manifest) throws IOException {
        StringBuilder role = new StringBuilder(Files.readString(RIGHTS.resolve("role.yaml")));
        try (DirectoryStream<Path> ofDoors = Files.newDirectoryStream(RIGHTS, "role-*.yaml")) {
            for (Path rules : ofDoors) {
                role.append(Files.readString(rules));
            }
        }
        assertThat(rules(documents(Files.readString(REPOSITORY.resolve(manifest)))))
                .as("the rules of %s, to be copied from what berth install prints", manifest)
                .containsExactlyInAnyOrderElementsOf(rules(documents(role.toString())));
    }

    private void apply(String manifest) {
        assertThat(kubectl()
                        .call("", "apply", "-f", REPOSITORY.resolve(manifest).toString())
                        .ok()
                        .err())
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
