package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The manifests of several user pages can be applied together, and one of them deleted without harm to the others. */
class ManifestObjectsTest {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

    @Test
    void noTwoManifestsContainTheSameObject() throws IOException {
        Map<String, List<String>> manifestsOf = new TreeMap<>();
        for (Path manifest : examples()) {
            add(Files.readString(manifest), REPOSITORY.relativize(manifest).toString(), manifestsOf);
        }
        StringWriter printed = new StringWriter();
        Main.commandLine(Map.of()).setOut(new PrintWriter(printed, true)).execute("install");
        add(printed.toString(), "berth install", manifestsOf);
        assertThat(manifestsOf).containsKey("ServiceAccount kube-system/berth");
        assertThat(manifestsOf.values())
                .allSatisfy(manifests -> assertThat(manifests).hasSize(1));
    }

    private static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY.resolve("examples"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
    }

    @Test
    void everyRoleThatMayWriteOneMemberLeaseMayWriteAll() throws IOException {
        List<String> leases =
                IntStream.range(0, 16).mapToObj("berth-member-%d"::formatted).toList();
        int roles = 0;
        for (Path manifest : List.of(
                REPOSITORY.resolve("examples/node-annotation/manifests/all-in-one.yaml"),
                REPOSITORY.resolve("examples/devices/deploy/deployment.yaml"),
                REPOSITORY.resolve("examples/devices/deploy/extender.yaml"),
                REPOSITORY.resolve("examples/globalreserve/deployment/globalreserve-account.yaml"),
                REPOSITORY.resolve("app/src/main/resources/install/bindings.yaml"))) {
            for (JsonNode rule : rules(Files.readString(manifest))) {
                List<String> names = new ArrayList<>();
                rule.path("resourceNames").forEach(name -> names.add(name.asText()));
                if (names.contains(leases.get(0))) {
                    roles++;
                    assertThat(names)
                            .as("a Berth that finds no other lease free could not join with %s", manifest)
                            .containsAll(leases);
                }
            }
        }
        assertThat(roles).isGreaterThanOrEqualTo(5);
    }

    private static List<JsonNode> rules(String manifest) throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        try (MappingIterator<JsonNode> documents =
                new YAMLMapper().readerFor(JsonNode.class).readValues(manifest)) {
            for (JsonNode document : documents.readAll()) {
                document.path("rules").forEach(rules::add);
            }
        }
        return rules;
    }

    private static void add(String manifest, String from, Map<String, List<String>> manifestsOf) throws IOException {
        try (MappingIterator<JsonNode> documents =
                new YAMLMapper().readerFor(JsonNode.class).readValues(manifest)) {
            for (JsonNode document : documents.readAll()) {
                JsonNode metadata = document.path("metadata");
                String object = "%s %s/%s"
                        .formatted(
                                document.path("kind").asText(),
                                metadata.path("namespace").asText(),
                                metadata.path("name").asText());
                manifestsOf.computeIfAbsent(object, none -> new ArrayList<>()).add(from);
            }
        }
    }
}
