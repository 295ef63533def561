package dev.berth.sandbox.schema.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.value.DecodingMessages;
import java.util.List;

/**
 * An object read from a request.
 *
 * @param object   only fields the schema knows, values in canonical form, {@code apiVersion} and {@code kind} set
 * @param problems unknown and duplicate fields in the order of the body: {@code unknown field "spec.replica"}
 */
public record DecodedObject(ObjectNode object, List<String> problems) {

    public DecodedObject {
        problems = List.copyOf(problems);
    }

    /** What the real server answers to these problems when fields are validated strictly. */
    public String strictErrorMessage() {
        String kind = object.path("kind").asText();
        return DecodingMessages.cannotHandle(
                kind, version(), kind, "strict decoding error: " + String.join(", ", problems));
    }

    private String version() {
        String apiVersion = object.path("apiVersion").asText();
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }
}
