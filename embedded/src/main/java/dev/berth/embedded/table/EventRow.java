package dev.berth.embedded.table;

import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** What is printed of an event, which carries its parts under other names in its own group. */
final class EventRow {
    static final List<Column> COLUMNS = List.of(
            Column.of("Last Seen").get(0),
            Column.of("Type").get(0),
            Column.of("Reason").get(0),
            Column.of("Object").get(0),
            Column.of("Subobject+").get(0),
            Column.of("Source+").get(0),
            Column.of("Message").get(0),
            Column.of("First Seen+").get(0),
            Column.of("Count+").get(0),
            new Column("Name", "string", "name", "", 1));

    private final ObjectNode event;
    private final Instant now;

    private EventRow(ObjectNode event, Instant now) {
        this.event = event;
        this.now = now;
    }

    static List<JsonNode> cells(ObjectNode event, Instant now) {
        return new EventRow(event, now).cells();
    }

    private String either(String core, String own) {
        String first = text(event, core);
        return first.isEmpty() ? text(event, own) : first;
    }

    private List<JsonNode> cells() {
        String about = has(event, "involvedObject") ? "involvedObject" : "regarding";
        String kind = text(event, about, "kind").toLowerCase(Locale.ROOT);
        String name = text(event, about, "name");
        return new Cells(event, now)
                .text(last())
                .textAt("type")
                .textAt("reason")
                .text(name.isEmpty() ? kind : kind + "/" + name)
                .textAt(about, "fieldPath")
                .text(source())
                .text(either("message", "note").strip())
                .text(first())
                .number(count())
                .name()
                .list();
    }

    private String first() {
        String time = either("firstTimestamp", "deprecatedFirstTimestamp");
        return Ages.since(time.isEmpty() ? text(event, "eventTime") : time, now);
    }

    private String last() {
        if (has(event, "series")) {
            return Ages.since(text(event, "series", "lastObservedTime"), now);
        }
        String time = either("lastTimestamp", "deprecatedLastTimestamp");
        return time.isEmpty() ? first() : Ages.since(time, now);
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
        String controller = component.isEmpty() ? either("reportingComponent", "reportingController") : component;
        String instance = host.isEmpty() ? text(event, "reportingInstance") : host;
        return instance.isEmpty() ? controller : controller + ", " + instance;
    }
}
