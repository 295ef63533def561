package dev.berth.embedded.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.auth.User;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * One request, however it came. Header names are in lower case. The body is the request's own: whoever makes one must
 * not change the bytes afterwards.
 */
public final class Request {

    private static final byte[] NO_BODY = {};

    private final String method;
    private final String path;
    private final Query query;
    private final Map<String, String> headers;
    private final byte[] body;
    private final User user;

    public Request(String method, String path, Query query, Map<String, String> headers, byte[] body, User user) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path (" + path + ") does not begin with a slash");
        }
        this.method = Objects.requireNonNull(method, "method");
        this.path = path;
        this.query = Objects.requireNonNull(query, "query");
        this.headers = Map.copyOf(headers);
        this.body = Objects.requireNonNull(body, "body");
        this.user = Objects.requireNonNull(user, "user");
    }

    /** A request of the process itself without a body, by method and target: {@code GET}, {@code /api/v1/pods?limit=5}. */
    public static Request of(String method, String target) {
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        Query query = mark < 0 ? Query.EMPTY : Query.parse(target.substring(mark + 1));
        return new Request(method, path, query, Map.of(), NO_BODY, User.SYSTEM);
    }

    public Request with(String header, String value) {
        Map<String, String> next = new LinkedHashMap<>(headers);
        next.put(header.toLowerCase(Locale.ROOT), value);
        return new Request(method, path, query, next, body, user);
    }

    public Request accepting(String mediaTypes) {
        return with("accept", mediaTypes);
    }

    public Request body(String contentType, byte[] bytes) {
        return new Request(method, path, query, headers, bytes, user).with("content-type", contentType);
    }

    public Request json(JsonNode tree) {
        return body("application/json", tree.toString().getBytes(StandardCharsets.UTF_8));
    }

    public String method() {
        return method;
    }

    public String path() {
        return path;
    }

    public Query query() {
        return query;
    }

    /** A header's value, empty when absent. */
    public String header(String lowerCaseName) {
        return headers.getOrDefault(lowerCaseName, "");
    }

    /** The body; shared, read only. */
    public byte[] body() {
        return body;
    }

    public User user() {
        return user;
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
