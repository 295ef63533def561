package dev.berth.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;

/** One request to an API server, as it goes over the wire. */
public final class ApiRequest {

    static final String JSON = "application/json";
    private static final byte[] NOTHING = {};

    private final String method;
    private final String path;
    private final String accept;
    private final String contentType;
    private final byte[] body;

    private ApiRequest(String method, String path, String accept, String contentType, byte[] body) {
        this.method = method;
        this.path = path;
        this.accept = accept;
        this.contentType = contentType;
        this.body = body;
    }

    /** A request without a body that accepts JSON. */
    public static ApiRequest of(String method, String path) {
        return new ApiRequest(method, path, JSON, JSON, NOTHING);
    }

    public ApiRequest accepting(String type) {
        return new ApiRequest(method, path, type, contentType, body);
    }

    public ApiRequest withBody(String type, byte[] content) {
        return new ApiRequest(method, path, accept, type, content.clone());
    }

    public ApiRequest withBody(String type, String content) {
        return withBody(type, content.getBytes(StandardCharsets.UTF_8));
    }

    public ApiRequest withBody(JsonNode content) {
        return withBody(JSON, Manifests.bytes(content));
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    String accept() {
        return accept;
    }

    String contentType() {
        return contentType;
    }

    byte[] body() {
        return body;
    }

    boolean hasBody() {
        return body.length > 0;
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
