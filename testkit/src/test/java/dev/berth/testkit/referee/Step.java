package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/** One thing that happens in a cluster. The object must not be changed afterwards. */
record Step(Kind kind, ObjectNode object) {
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

    static Step tell(ObjectNode object) {
        return new Step(Kind.TELL, object);
    }

    static Step forget(ObjectNode object) {
        return new Step(Kind.FORGET, object);
    }

    static Step probe(ObjectNode pod) {
        return new Step(Kind.PROBE, pod);
    }

    Step with(ObjectNode other) {
        return new Step(kind, other);
    }
}
