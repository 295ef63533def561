package dev.berth.kubernetes.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kubernetes.projection.WireObjects;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The fields of Berth's CRD have the types, defaults, enumerations and required keys of Koordinator's. So an object that
 * one of the two accepts is accepted by the other one, and is stored equally.
 */
class ReservationSchemaTest {
    private static final List<String> BERTH_FIELDS = List.of(".status.berth", ".status.nominatedNodeName");

    /** What only documents a field, or is compared as the structure itself. */
    private static final Set<String> NOT_RULES = Set.of("description", "properties", "items", "additionalProperties");

    private final JsonNode version =
            WireObjects.yaml(CrdManifest.KOORDINATOR_RESERVATIONS.yaml()).at("/spec/versions/0");

    @Test
    void theRulesOfAllFieldsAreThoseOfKoordinator() throws IOException {
        Map<String, String> rules = new TreeMap<>();
        collect("", version.at("/schema/openAPIV3Schema"), rules);
        rules.keySet().removeIf(field -> BERTH_FIELDS.stream().anyMatch(field::startsWith));
        List<String> lines = rules.entrySet().stream()
                .map(rule -> rule.getKey() + " " + rule.getValue())
                .toList();
        assertThat(lines).isEqualTo(rulesOfKoordinator());
    }

    @Test
    void theColumnsOfKoordinatorAreTheFirst() {
        assertThat(version.at("/additionalPrinterColumns"))
                .extracting(column -> column.get("name").asText())
                .containsExactly("Phase", "Age", "Node", "TTL", "Expires", "Until", "Size", "Used", "Owners", "Reason");
    }

    private static void collect(String path, JsonNode schema, Map<String, String> rules) {
        Map<String, JsonNode> own = new TreeMap<>();
        schema.properties().forEach(rule -> {
            if (!NOT_RULES.contains(rule.getKey())) {
                own.put(rule.getKey(), rule.getValue());
            }
        });
        rules.put(path.isEmpty() ? "." : path, own.toString());
        schema.path("properties")
                .properties()
                .forEach(field -> collect(path + "." + field.getKey(), field.getValue(), rules));
        if (schema.has("items")) {
            collect(path + "[]", schema.get("items"), rules);
        }
        if (schema.path("additionalProperties").isObject()) {
            collect(path + "{}", schema.get("additionalProperties"), rules);
        }
    }

    private static List<String> rulesOfKoordinator() throws IOException {
        try (InputStream in = ReservationSchemaTest.class.getResourceAsStream("koordinator-reservation-rules.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
