package dev.berth.sandbox.client.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Instant;

/** An occurrence on an object, as a component reports it. */
record RecordedEvent(
        EventSource source, ObjectNode involvedObject, EventType type, String reason, String message, Instant time) {

    /** Occurrences from one source on one object share an allowance. */
    String spamKey() {
        return source + "|" + NestedFields.text(involvedObject, "kind") + "|"
                + ObjectMetaReader.namespace(involvedObject) + "|" + ObjectMetaReader.name(involvedObject) + "|"
                + ObjectMetaReader.uid(involvedObject);
    }

    /** Occurrences that differ only in their message are similar. */
    String aggregationKey() {
        return spamKey() + "|" + type + "|" + reason;
    }

    RecordedEvent aggregated() {
        return new RecordedEvent(
                source, involvedObject, type, reason, "(combined from similar events): " + message, time);
    }
}
