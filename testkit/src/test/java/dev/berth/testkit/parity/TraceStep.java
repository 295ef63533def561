package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/** One thing that happens in a cluster. The object must not be changed afterwards. */
record TraceStep(Kind kind, ObjectNode object) {
    enum Kind {
        /** The object is seen, for the first time or changed. */
        TELL,
        /** The object is gone, if it was there. */
        FORGET,
        /** The pod is to be placed; it is then where the referee put it. */
        PROBE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static TraceStep upsert(ObjectNode object) {
        return new TraceStep(Kind.TELL, object);
    }

    static TraceStep delete(ObjectNode object) {
        return new TraceStep(Kind.FORGET, object);
    }

    static TraceStep schedule(ObjectNode pod) {
        return new TraceStep(Kind.PROBE, pod);
    }

    TraceStep with(ObjectNode other) {
        return new TraceStep(kind, other);
    }
}
