package dev.berth.embedded.schema.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.schema.value.RefusalWords;
import java.util.List;

/**
 * An object read from a request.
 *
 * @param object   only fields the schema knows, values in canonical form, {@code apiVersion} and {@code kind} set
 * @param problems unknown and duplicate fields in the order of the body: {@code unknown field "spec.replica"}
 */
public record Decoded(ObjectNode object, List<String> problems) {

    public Decoded {
        problems = List.copyOf(problems);
    }

    /** What the real server answers to these problems when fields are validated strictly. */
    public String strictRefusal() {
        String kind = object.path("kind").asText();
        return RefusalWords.cannotHandle(
                kind, version(), kind, "strict decoding error: " + String.join(", ", problems));
    }

    private String version() {
        String apiVersion = object.path("apiVersion").asText();
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }
}
