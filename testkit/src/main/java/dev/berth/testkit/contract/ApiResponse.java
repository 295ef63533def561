package dev.berth.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.StreamSupport;

/** The response to one request. */
public final class ApiResponse {

    private final String request;
    private final int status;
    private final HttpHeaders headers;
    private final byte[] body;

    ApiResponse(String request, int status, HttpHeaders headers, byte[] body) {
        this.request = request;
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    public int status() {
        return status;
    }

    /** Returns this if the status matches; otherwise throws an error that shows the response. */
    public ApiResponse expect(int expected) {
        if (status != expected) {
            throw new AssertionError("%s was to be answered (%d): %s".formatted(request, expected, this));
        }
        return this;
    }

    /** Returns this if it is a Status object with this code and reason, in the body and in the HTTP status. */
    public ApiResponse expectFailure(int code, String reason) {
        expect(code);
        JsonNode status = json();
        if (!"Status".equals(status.path("kind").asText())
                || !"v1".equals(status.path("apiVersion").asText())
                || !"Failure".equals(status.path("status").asText())
                || status.path("code").asInt() != code
                || !reason.equals(status.path("reason").asText())) {
            throw new AssertionError("%s was to be answered with a Status of code (%d) and reason (%s): %s"
                    .formatted(request, code, reason, this));
        }
        return this;
    }

    public byte[] bytes() {
        return body.clone();
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    public JsonNode json() {
        return Manifests.json(body);
    }

    /** The value at a JSON pointer as text; empty if there is none. */
    public String at(String pointer) {
        return json().at(pointer).asText();
    }

    /** The message of a Status. */
    public String message() {
        return at("/message");
    }

    public String uid() {
        return at("/metadata/uid");
    }

    public String resourceVersion() {
        return at("/metadata/resourceVersion");
    }

    /** The names of a list's items, in order. */
    public List<String> names() {
        return StreamSupport.stream(json().path("items").spliterator(), false)
                .map(item -> item.at("/metadata/name").asText())
                .toList();
    }

    /** The fields in the causes of a Status, in order. */
    public List<String> causes() {
        return StreamSupport.stream(json().at("/details/causes").spliterator(), false)
                .map(cause -> cause.path("field").asText())
                .toList();
    }

    public List<String> header(String name) {
        return headers.allValues(name);
    }

    @Override
    public String toString() {
        return "(%d) %s".formatted(status, text());
    }
}
