package dev.berth.sandbox.schema.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.value.DecodingMessages;
import java.util.List;

/**
 * An object decoded from a request.
 *
 * @param object   the fields of the schema in canonical form, with {@code apiVersion} and {@code kind}
 * @param problems unknown and duplicate fields in body order, for example {@code unknown field "spec.replica"}
 */
public record DecodedObject(ObjectNode object, List<String> problems) {

    public DecodedObject {
        problems = List.copyOf(problems);
    }

    /** The error message of the real server for these problems with strict field validation. */
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
