package dev.berth.kubernetes.api;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts requests by method and status, since the client was created. Safe from any thread. */
public final class RequestCounter {
    /** The status of a request without a response. */
    public static final int NO_RESPONSE = 0;

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");
    private static final int STATUSES = 600;

    private final AtomicLongArray counts = new AtomicLongArray(METHODS.size() * STATUSES);

    RequestCounter() {}

    public interface CountVisitor {
        /**
         * Visits requests with the same method and status.
         *
         * @param status of HTTP, or {@link #NO_RESPONSE}
         */
        void visit(String method, int status, long requests);
    }

    void increment(String method, int status) {
        int row = METHODS.indexOf(method);
        if (row >= 0) {
            counts.incrementAndGet(row * STATUSES + (status > 0 && status < STATUSES ? status : NO_RESPONSE));
        }
    }

    /** Visits all counts that are not 0. */
    public void forEach(CountVisitor visitor) {
        for (int i = 0; i < counts.length(); i++) {
            long requests = counts.get(i);
            if (requests > 0) {
                visitor.visit(METHODS.get(i / STATUSES), i % STATUSES, requests);
            }
        }
    }
}
