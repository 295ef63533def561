package dev.berth.http;

import java.util.Objects;

/** A request, its body read. */
public final class Asked {
    private final String method;
    private final String path;
    private final byte[] body;

    public Asked(String method, String path, byte[] body) {
        this.method = Objects.requireNonNull(method, "method");
        this.path = Objects.requireNonNull(path, "path");
        this.body = body.clone();
    }

    public String method() {
        return method;
    }

    public String path() {
        return path;
    }

    public byte[] body() {
        return body.clone();
    }
}
