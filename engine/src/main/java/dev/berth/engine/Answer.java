package dev.berth.engine;

import java.time.Duration;

/** What the API server made of a write. */
public sealed interface Answer {
    /** It is written. A bind that finds the pod on that very node already is written too. */
    record Done() implements Answer {}

    /** The object changed meanwhile, the pod is bound elsewhere or being deleted: decide anew. */
    record Conflict(String message) implements Answer {}

    /** The object is no longer there, or another under its name. */
    record Gone(String message) implements Answer {}

    /**
     * Admission, authorization or validation said no: the same request will be refused again.
     *
     * @param request the verb and the resource, as in {@code patch pods/status}; empty where that is not known
     */
    record Denied(String message, String request) implements Answer {
        public Denied(String message) {
            this(message, "");
        }
    }

    /** The server is busy and says when to come back. */
    record Throttled(Duration after, String message) implements Answer {}

    /** No answer, or one that does not tell whether it was written. */
    record Unknown(String message) implements Answer {}
}
