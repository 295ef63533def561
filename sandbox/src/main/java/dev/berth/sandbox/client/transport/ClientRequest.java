package dev.berth.sandbox.client.transport;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One request to an API server, free of how it travels. */
public record ClientRequest(
        Method method, String path, SortedMap<String, String> query, String contentType, Optional<JsonNode> body) {

    /** The content type of everything but patches. */
    public static final String JSON = "application/json";

    /** The verbs the API uses. */
    public enum Method {
        GET,
        POST,
        PUT,
        PATCH,
        DELETE
    }

    public ClientRequest {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path (%s) must begin with a slash".formatted(path));
        }
        query = Collections.unmodifiableSortedMap(new TreeMap<>(query));
    }

    public static ClientRequest get(String path, Map<String, String> query) {
        return new ClientRequest(Method.GET, path, new TreeMap<>(query), JSON, Optional.empty());
    }

    public static ClientRequest of(Method method, String path, JsonNode body) {
        return new ClientRequest(method, path, new TreeMap<>(), JSON, Optional.of(body));
    }

    public static ClientRequest patch(String path, String contentType, JsonNode body) {
        return new ClientRequest(Method.PATCH, path, new TreeMap<>(), contentType, Optional.of(body));
    }

    /** Path and encoded query. */
    public String target() {
        if (query.isEmpty()) {
            return path;
        }
        return query.entrySet().stream()
                .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&", path + "?", ""));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
