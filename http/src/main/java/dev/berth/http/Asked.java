package dev.berth.http;

import java.util.Objects;

/** A request, its body read. */
public final class Asked {
    private final String method;
    private final String path;
    private final String query;
    private final byte[] body;

    public Asked(String method, String path, String query, byte[] body) {
        this.method = Objects.requireNonNull(method, "method");
        this.path = Objects.requireNonNull(path, "path");
        this.query = Objects.requireNonNull(query, "query");
        this.body = body.clone();
    }

    public String method() {
        return method;
    }

    public String path() {
        return path;
    }

    /** What follows the question mark, as it was sent; empty where nothing does. */
    public String query() {
        return query;
    }

    public byte[] body() {
        return body.clone();
    }
}
