package dev.berth.engine;

import java.time.Duration;

/** The response of the API server to a write. */
public sealed interface WriteResponse {
    /** Written. A bind of a pod that is already bound to the same node is written, too. */
    record Succeeded() implements WriteResponse {}

    /** The object changed in between, or the pod is bound to another node or terminating: decide again. */
    record Conflict(String message) implements WriteResponse {}

    /** The object does not exist, or an object with another UID has its name. */
    record NotFound(String message) implements WriteResponse {}

    /**
     * Admission, authorization or validation denied it: the same request would be denied again.
     *
     * @param request the verb and the resource, as in {@code patch pods/status}; may be empty
     */
    record Denied(String message, String request) implements WriteResponse {
        public Denied(String message) {
            this(message, "");
        }
    }

    /** The server is busy and says when to retry. */
    record Throttled(Duration retryAfter, String message) implements WriteResponse {}

    /** No response, or one that does not say whether the object was written. */
    record Unknown(String message) implements WriteResponse {}
}
