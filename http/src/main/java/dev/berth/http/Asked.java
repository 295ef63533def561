package dev.berth.http;

import java.util.Objects;

/** What a request brings to the route that its method and path led it to, its body read. */
public final class Asked {
    private final String query;
    private final byte[] body;

    public Asked(String query, byte[] body) {
        this.query = Objects.requireNonNull(query, "query");
        this.body = body.clone();
    }

    /** What follows the question mark, as it was sent; empty where nothing does. */
    public String query() {
        return query;
    }

    public byte[] body() {
        return body.clone();
    }
}
