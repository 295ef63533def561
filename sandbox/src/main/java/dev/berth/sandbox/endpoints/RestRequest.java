package dev.berth.sandbox.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.authentication.UserInfo;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * One request, from the network or from the process. Header names are in lower case. The creator of a request must
 * not change the bytes of the body afterwards.
 */
public final class RestRequest {

    private static final byte[] NO_BODY = {};

    private final String method;
    private final String path;
    private final QueryParameters queryParameters;
    private final Map<String, String> headers;
    private final byte[] body;
    private final UserInfo userInfo;

    public RestRequest(
            String method,
            String path,
            QueryParameters queryParameters,
            Map<String, String> headers,
            byte[] body,
            UserInfo userInfo) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path (" + path + ") does not begin with a slash");
        }
        this.method = Objects.requireNonNull(method, "method");
        this.path = path;
        this.queryParameters = Objects.requireNonNull(queryParameters, "query");
        this.headers = Map.copyOf(headers);
        this.body = Objects.requireNonNull(body, "body");
        this.userInfo = Objects.requireNonNull(userInfo, "user");
    }

    /** A request of the process itself without a body, by method and target: {@code GET}, {@code /api/v1/pods?limit=5}. */
    public static RestRequest of(String method, String target) {
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        QueryParameters queryParameters =
                mark < 0 ? QueryParameters.EMPTY : QueryParameters.parse(target.substring(mark + 1));
        return new RestRequest(method, path, queryParameters, Map.of(), NO_BODY, UserInfo.SYSTEM);
    }

    public RestRequest withHeader(String header, String value) {
        Map<String, String> next = new LinkedHashMap<>(headers);
        next.put(header.toLowerCase(Locale.ROOT), value);
        return new RestRequest(method, path, queryParameters, next, body, userInfo);
    }

    public RestRequest withAccept(String mediaTypes) {
        return withHeader("accept", mediaTypes);
    }

    public RestRequest withBody(String contentType, byte[] bytes) {
        return new RestRequest(method, path, queryParameters, headers, bytes, userInfo)
                .withHeader("content-type", contentType);
    }

    public RestRequest withJson(JsonNode tree) {
        return withBody("application/json", tree.toString().getBytes(StandardCharsets.UTF_8));
    }

    public String method() {
        return method;
    }

    public String path() {
        return path;
    }

    public QueryParameters queryParameters() {
        return queryParameters;
    }

    /** A header's value, empty when absent. */
    public String header(String lowerCaseName) {
        return headers.getOrDefault(lowerCaseName, "");
    }

    /** The body; shared, read only. */
    public byte[] body() {
        return body;
    }

    public UserInfo userInfo() {
        return userInfo;
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
