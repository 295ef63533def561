package dev.berth.http.extender;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which nodes take which pod? Nodes come by name, or whole; whole ones go back as they came. Keys are read in small and
 * capital letters alike, as Go does, and answered as they were asked.
 */
final class FilterRequest {
    private final byte[] body;
    private final List<Item> nodes = new ArrayList<>();
    private byte[] pod = {};
    private boolean byName;
    private boolean given;
    private boolean small;

    private FilterRequest(byte[] body) {
        this.body = body;
    }

    /** A node and where it stands in the body; an end of 0 where it came by name alone. */
    record Item(String name, int from, int to) {}

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when the body is none, in words
     */
    static FilterRequest read(byte[] body) {
        FilterRequest request = new FilterRequest(body);
        Json.object(body, "the body", request::field);
        if (request.pod.length == 0) {
            throw new IllegalArgumentException("Pod is missing");
        }
        return request;
    }

    byte[] pod() {
        return pod.clone();
    }

    List<Item> nodes() {
        return nodes;
    }

    /** Whether any nodes were given at all, be it none of them. */
    boolean given() {
        return given;
    }

    boolean byName() {
        return byName;
    }

    /** Whether its keys are in small letters. */
    boolean small() {
        return small;
    }

    String whole(Item item) {
        return new String(body, item.from, item.to - item.from, StandardCharsets.UTF_8);
    }

    private void field(String key, JsonParser in) throws IOException {
        switch (key) {
            case "pod" -> {
                small = in.currentName().equals("pod");
                Json.expect(in, JsonToken.START_OBJECT, "Pod", "a pod");
                int from = Json.start(in);
                in.skipChildren();
                pod = Arrays.copyOfRange(body, from, Json.end(in));
            }
            case "nodes" -> nodeList(in);
            case "nodenames" -> {
                byName = true;
                begin();
                Json.elements(in, "NodeNames", () -> {
                    Json.expect(in, JsonToken.VALUE_STRING, "NodeNames", "an array of names");
                    nodes.add(new Item(in.getText(), 0, 0));
                });
            }
            default -> in.skipChildren();
        }
    }

    private void begin() {
        given = true;
        nodes.clear();
    }

    private void nodeList(JsonParser in) throws IOException {
        Json.expect(in, JsonToken.START_OBJECT, "Nodes", "a list of nodes");
        begin();
        Json.fields(in, (key, there) -> {
            if (key.equals("items")) {
                Json.elements(there, "Nodes.items", () -> node(there));
            } else {
                there.skipChildren();
            }
        });
    }

    private void node(JsonParser in) throws IOException {
        Json.expect(in, JsonToken.START_OBJECT, "Nodes.items", "an array of nodes");
        int from = Json.start(in);
        StringBuilder name = new StringBuilder();
        Json.fields(in, (key, there) -> {
            if (key.equals("metadata") && there.currentToken() == JsonToken.START_OBJECT) {
                Json.fields(there, (inner, value) -> {
                    if (inner.equals("name")) {
                        name.append(value.getText());
                    } else {
                        value.skipChildren();
                    }
                });
            } else {
                there.skipChildren();
            }
        });
        if (name.isEmpty()) {
            throw new IllegalArgumentException("Nodes.items[%d] has no metadata.name".formatted(nodes.size()));
        }
        nodes.add(new Item(name.toString(), from, Json.end(in)));
    }
}
