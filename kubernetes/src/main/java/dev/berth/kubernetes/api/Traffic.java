package dev.berth.kubernetes.api;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** How many requests were sent and how they were answered, since the client was made. Safe from any thread. */
public final class Traffic {
    /** The answer to a request that got none. */
    public static final int NO_ANSWER = 0;

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");
    private static final int STATUSES = 600;

    private final AtomicLongArray counts = new AtomicLongArray(METHODS.size() * STATUSES);

    Traffic() {}

    /** Takes the counts one after the other. */
    public interface Visitor {
        /**
         * Requests that were answered alike.
         *
         * @param status of HTTP, or {@link #NO_ANSWER}
         */
        void count(String method, int status, long requests);
    }

    void answered(String method, int status) {
        int row = METHODS.indexOf(method);
        if (row >= 0) {
            counts.incrementAndGet(row * STATUSES + (status > 0 && status < STATUSES ? status : NO_ANSWER));
        }
    }

    /** All that are not 0. */
    public void forEach(Visitor visitor) {
        for (int i = 0; i < counts.length(); i++) {
            long requests = counts.get(i);
            if (requests > 0) {
                visitor.count(METHODS.get(i / STATUSES), i % STATUSES, requests);
            }
        }
    }
}
