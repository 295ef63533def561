package dev.berth.http;

import dev.berth.http.budget.ByteBudget;
import java.util.Objects;

/** What a request brings to the route that its method and path led it to, its body read. */
public final class ServerRequest {
    private final String query;
    private final byte[] body;
    private final ByteBudget.Share share;

    public ServerRequest(String query, byte[] body, ByteBudget.Share share) {
        this.query = Objects.requireNonNull(query, "query");
        this.body = body;
        this.share = share;
    }

    /** What follows the question mark, as it was sent; empty where nothing does. */
    public String query() {
        return query;
    }

    /** The body itself and no copy, which would cost as much again: nobody writes to it. */
    public byte[] body() {
        return body;
    }

    /** Where to take from whatever is made of the body beyond a few kilobytes. */
    public ByteBudget.Share share() {
        return share;
    }
}
