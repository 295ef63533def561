package dev.berth.sandbox.printers;

import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The columns and cells of Events. The fields have different names in the core group and in {@code events.k8s.io}. */
final class EventPrinter {
    static final List<TableColumn> COLUMNS = List.of(
            TableColumn.parseAll("Last Seen").get(0),
            TableColumn.parseAll("Type").get(0),
            TableColumn.parseAll("Reason").get(0),
            TableColumn.parseAll("Object").get(0),
            TableColumn.parseAll("Subobject+").get(0),
            TableColumn.parseAll("Source+").get(0),
            TableColumn.parseAll("Message").get(0),
            TableColumn.parseAll("First Seen+").get(0),
            TableColumn.parseAll("Count+").get(0),
            new TableColumn("Name", "string", "name", "", 1));

    private final ObjectNode event;
    private final Instant now;

    private EventPrinter(ObjectNode event, Instant now) {
        this.event = event;
        this.now = now;
    }

    static List<JsonNode> cells(ObjectNode event, Instant now) {
        return new EventPrinter(event, now).cells();
    }

    private String firstNonEmpty(String field, String fallback) {
        String value = text(event, field);
        return value.isEmpty() ? text(event, fallback) : value;
    }

    private List<JsonNode> cells() {
        String about = has(event, "involvedObject") ? "involvedObject" : "regarding";
        String kind = text(event, about, "kind").toLowerCase(Locale.ROOT);
        String name = text(event, about, "name");
        return new RowBuilder(event, now)
                .text(last())
                .textAt("type")
                .textAt("reason")
                .text(name.isEmpty() ? kind : kind + "/" + name)
                .textAt(about, "fieldPath")
                .text(source())
                .text(firstNonEmpty("message", "note").strip())
                .text(first())
                .number(count())
                .name()
                .build();
    }

    private String first() {
        String time = firstNonEmpty("firstTimestamp", "deprecatedFirstTimestamp");
        return HumanDuration.since(time.isEmpty() ? text(event, "eventTime") : time, now);
    }

    private String last() {
        if (has(event, "series")) {
            return HumanDuration.since(text(event, "series", "lastObservedTime"), now);
        }
        String time = firstNonEmpty("lastTimestamp", "deprecatedLastTimestamp");
        return time.isEmpty() ? first() : HumanDuration.since(time, now);
    }

    private long count() {
        if (has(event, "series")) {
            return number(event, "series", "count");
        }
        long count = number(event, "count") + number(event, "deprecatedCount");
        return count == 0 ? 1 : count;
    }

    private String source() {
        String holder = has(event, "source") ? "source" : "deprecatedSource";
        String component = text(event, holder, "component");
        String host = text(event, holder, "host");
        String controller =
                component.isEmpty() ? firstNonEmpty("reportingComponent", "reportingController") : component;
        String instance = host.isEmpty() ? text(event, "reportingInstance") : host;
        return instance.isEmpty() ? controller : controller + ", " + instance;
    }
}
