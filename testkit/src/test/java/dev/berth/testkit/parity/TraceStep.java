package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/** One change in a cluster. The object must not be modified afterwards. */
record TraceStep(Kind kind, ObjectNode object) {
    enum Kind {
        /** The object is added or updated. */
        UPSERT,
        /** The object is deleted, if it exists. */
        DELETE,
        /** The pod is scheduled, and stays on the node that the referee chose. */
        SCHEDULE;

        String jsonName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static TraceStep upsert(ObjectNode object) {
        return new TraceStep(Kind.UPSERT, object);
    }

    static TraceStep delete(ObjectNode object) {
        return new TraceStep(Kind.DELETE, object);
    }

    static TraceStep schedule(ObjectNode pod) {
        return new TraceStep(Kind.SCHEDULE, pod);
    }

    TraceStep with(ObjectNode other) {
        return new TraceStep(kind, other);
    }
}
