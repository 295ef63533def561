package dev.berth.embedded.client.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import java.time.Instant;

/** Something that happened to an object, told by somebody. */
record Occurrence(EventSource source, ObjectNode about, EventType type, String reason, String message, Instant time) {

    /** Occurrences from one source on one object share an allowance. */
    String sourceAndObject() {
        return source + "|" + Json.text(about, "kind") + "|" + Meta.namespace(about) + "|" + Meta.name(about) + "|"
                + Meta.uid(about);
    }

    /** Occurrences that differ only in their message are similar. */
    String similarity() {
        return sourceAndObject() + "|" + type + "|" + reason;
    }

    Occurrence combined() {
        return new Occurrence(source, about, type, reason, "(combined from similar events): " + message, time);
    }
}
