package dev.berth.sandbox.printers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableConvertorTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void theRestartCountShowsTheAgeOfTheLastRestart() {
        ObjectNode pod = aPod("web-0");
        ObjectNode container =
                pod.withObject("status").putArray("containerStatuses").addObject();
        container.put("name", "c").put("restartCount", 3);
        container.withObject("lastState").withObject("terminated").put("finishedAt", ago(Duration.ofMinutes(5)));

        assertThat(cell(pod, 3)).isEqualTo("3 (5m ago)");
    }

    @Test
    void theAgeOfTheLatestOfSeveralRestartsIsShown() {
        ObjectNode pod = aPod("web-0");
        for (int minutes : List.of(7, 20, 12)) {
            ObjectNode container = pod.withObject("status")
                    .withArray("containerStatuses")
                    .addObject()
                    .put("restartCount", 1);
            container
                    .withObject("lastState")
                    .withObject("terminated")
                    .put("finishedAt", ago(Duration.ofMinutes(minutes)));
        }

        assertThat(cell(pod, 3)).isEqualTo("3 (7m ago)");
    }

    @Test
    void aDeletedPodOnALostNodeHasTheStatusUnknown() {
        ObjectNode pod = aPod("web-0");
        pod.withObject("metadata").put("deletionTimestamp", ago(Duration.ofMinutes(1)));
        pod.withObject("status").put("phase", "Running").put("reason", "NodeLost");

        assertThat(cell(pod, 2)).isEqualTo("Unknown");
    }

    @Test
    void aRowContainsTheObjectInTheRequestedForm() {
        TableConvertor convertor = TableConvertors.find("", "Pod");

        assertThat(object(convertor, IncludeObject.NONE).isNull()).isTrue();
        assertThat(object(convertor, IncludeObject.OBJECT)).isEqualTo(aPod("web-0"));
        assertThat(object(convertor, IncludeObject.METADATA).path("kind").asText())
                .isEqualTo("PartialObjectMetadata");
        assertThat(object(convertor, IncludeObject.METADATA)
                        .at("/metadata/name")
                        .asText())
                .isEqualTo("web-0");
        assertThat(object(convertor, IncludeObject.METADATA).has("spec")).isFalse();
    }

    @Test
    void includeObjectValuesAreParsed() {
        assertThat(IncludeObject.of("")).contains(IncludeObject.METADATA);
        assertThat(IncludeObject.of("Object")).contains(IncludeObject.OBJECT);
        assertThat(IncludeObject.of("None")).contains(IncludeObject.NONE);
        assertThat(IncludeObject.of("object")).isEmpty();
    }

    @Test
    void aTableGetsTheMetadataOfTheList() {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        metadata.put("resourceVersion", "7").put("continue", "x").put("remainingItemCount", 3);

        ObjectNode table = TableConvertors.convertToTable("", "Pod", List.of(aPod("a"), aPod("b")), NOW);

        assertThat(TableConvertor.withListMetadata(table, metadata).path("metadata"))
                .isEqualTo(metadata);
        assertThat(table.path("rows")).hasSize(2);
    }

    @Test
    void aTableOfOneObjectHasItsResourceVersionAndCanOmitHeaders() {
        ObjectNode table = TableConvertors.convertToTable("", "Pod", List.of(aPod("a")), NOW);

        assertThat(table.at("/metadata/resourceVersion").asText()).isEqualTo("5");
        assertThat(TableConvertor.withoutHeaders(table)
                        .path("columnDefinitions")
                        .isNull())
                .isTrue();
    }

    @Test
    void theRowOfAFinishedPodHasTheCompletedCondition() {
        ObjectNode pod = aPod("job-1");
        pod.withObject("status").put("phase", "Failed");

        JsonNode condition =
                TableConvertors.convertToTable("", "Pod", List.of(pod), NOW).at("/rows/0/conditions/0");

        assertThat(condition.path("type").asText()).isEqualTo("Completed");
        assertThat(condition.path("reason").asText()).isEqualTo("Failed");
    }

    private static JsonNode object(TableConvertor convertor, IncludeObject include) {
        return convertor.convertToTable(List.of(aPod("web-0")), include, NOW).at("/rows/0/object");
    }

    private static String cell(ObjectNode pod, int index) {
        return TableConvertors.convertToTable("", "Pod", List.of(pod), NOW)
                .at("/rows/0/cells/" + index)
                .asText();
    }

    private static String ago(Duration age) {
        return NOW.minus(age).toString();
    }

    private static ObjectNode aPod(String name) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode().put("kind", "Pod");
        pod.putObject("metadata").put("name", name).put("resourceVersion", "5");
        pod.putObject("spec").putArray("containers").addObject().put("name", "c");
        return pod;
    }
}
