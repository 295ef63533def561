package dev.berth.sandbox.apiextensions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CrdStatusTest {
    private static final String NOW = "2026-01-01T00:00:00Z";
    private static final String LATER = "2026-01-01T01:00:00Z";

    @Test
    void aCrdWithoutNameConflictsIsEstablished() {
        ObjectNode status = CrdStatus.compute(aDefinition("things", "Thing"), List.of(), NOW);

        assertThat(condition(status, "NamesAccepted")).isEqualTo("True NoConflicts no conflicts found " + NOW);
        assertThat(condition(status, "Established"))
                .isEqualTo("True InitialNamesAccepted the initial names have been accepted " + NOW);
        assertThat(status.at("/acceptedNames/kind").asText()).isEqualTo("Thing");
        assertThat(NestedFields.texts(status, "storedVersions")).containsExactly("v1");
    }

    @Test
    void aCrdWithAConflictingKindIsNotEstablished() {
        ObjectNode first = established(aDefinition("things", "Thing"));

        ObjectNode status = CrdStatus.compute(aDefinition("others", "Thing"), List.of(first), NOW);

        assertThat(condition(status, "NamesAccepted"))
                .isEqualTo("False ListKindConflict \"ThingList\" is already in use " + NOW);
        assertThat(condition(status, "Established")).startsWith("False NotAccepted not all names are accepted");
        assertThat(status.at("/acceptedNames/plural").asText()).isEqualTo("others");
        assertThat(status.at("/acceptedNames/kind").asText()).isEmpty();
    }

    @Test
    void aConflictingShortNameIsReported() {
        ObjectNode first = established(withShortNames(aDefinition("things", "Thing"), "th", "ti"));

        ObjectNode status =
                CrdStatus.compute(withShortNames(aDefinition("others", "Other"), "th", "ti"), List.of(first), NOW);

        assertThat(condition(status, "NamesAccepted"))
                .startsWith("False ShortNamesConflict [\"th\" is already in use, \"ti\" is already in use]");
        assertThat(status.at("/acceptedNames").has("shortNames")).isFalse();
    }

    @Test
    void namesOfAnotherGroupDoNotConflict() {
        ObjectNode first = established(aDefinition("things", "Thing"));
        first.withObject("spec").put("group", "example.net");

        ObjectNode status = CrdStatus.compute(aDefinition("others", "Thing"), List.of(first), NOW);

        assertThat(condition(status, "Established")).startsWith("True");
    }

    @Test
    void anEstablishedCrdStaysEstablishedWhenANewNameConflicts() {
        ObjectNode rival = established(withShortNames(aDefinition("things", "Thing"), "th"));
        ObjectNode own = established(aDefinition("others", "Other"));

        ObjectNode status = CrdStatus.compute(withShortNames(own, "th"), List.of(rival, own), LATER);

        assertThat(condition(status, "NamesAccepted"))
                .startsWith("False ShortNamesConflict")
                .endsWith(LATER);
        assertThat(condition(status, "Established")).startsWith("True").endsWith(NOW);
    }

    @Test
    void anUnchangedConditionKeepsItsTime() {
        ObjectNode own = established(aDefinition("things", "Thing"));

        assertThat(CrdStatus.compute(own, List.of(own), LATER)).isEqualTo(own.get("status"));
    }

    @Test
    void storedVersionsKeepEveryFormerStorageVersion() {
        ObjectNode own = established(aDefinition("things", "Thing"));
        own.withObject("spec")
                .putArray("versions")
                .addObject()
                .put("name", "v2")
                .put("storage", true);

        assertThat(NestedFields.texts(CrdStatus.compute(own, List.of(own), NOW), "storedVersions"))
                .containsExactly("v1", "v2");
    }

    private static String condition(ObjectNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return String.join(
                        " ",
                        condition.path("status").asText(),
                        condition.path("reason").asText(),
                        condition.path("message").asText(),
                        condition.path("lastTransitionTime").asText());
            }
        }
        return "";
    }

    private static ObjectNode established(ObjectNode definition) {
        definition.set("status", CrdStatus.compute(definition, List.of(), NOW));
        return definition;
    }

    private static ObjectNode withShortNames(ObjectNode definition, String... names) {
        List.of(names).forEach(definition.withObject("spec").withObject("names").withArray("shortNames")::add);
        return definition;
    }

    private static ObjectNode aDefinition(String plural, String kind) {
        ObjectNode definition = JsonNodeFactory.instance.objectNode();
        definition.putObject("metadata").put("name", plural + ".example.com");
        ObjectNode spec = definition.putObject("spec").put("group", "example.com");
        ObjectNode names = spec.putObject("names").put("plural", plural).put("singular", plural + "-one");
        names.put("kind", kind).put("listKind", kind + "List");
        spec.putArray("versions").addObject().put("name", "v1").put("storage", true);
        return definition;
    }
}
