package dev.berth.http;

import dev.berth.http.budget.ByteBudget;
import java.util.Objects;

/** A request with its body, for the handler of its route. */
public final class ServerRequest {
    private final String query;
    private final byte[] body;
    private final ByteBudget.Share share;

    public ServerRequest(String query, byte[] body, ByteBudget.Share share) {
        this.query = Objects.requireNonNull(query, "query");
        this.body = body;
        this.share = share;
    }

    /** The query string as it was sent; empty if there is none. */
    public String query() {
        return query;
    }

    /** The body itself, not a copy, which would need the same memory again: it must not be modified. */
    public byte[] body() {
        return body;
    }

    /** The budget share for objects that are built from the body beyond a few kilobytes. */
    public ByteBudget.Share share() {
        return share;
    }
}
