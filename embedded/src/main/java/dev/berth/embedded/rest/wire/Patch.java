package dev.berth.embedded.rest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.patch.JsonPatch;
import dev.berth.embedded.patch.MergePatch;
import dev.berth.embedded.patch.PatchException;
import dev.berth.embedded.patch.StrategicMergePatch;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.kind.Json;
import dev.berth.embedded.schema.StructSchema;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A patch as it was sent, of one of the types a kind can be patched by. */
public final class Patch {

    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";

    private final String type;
    private final JsonNode body;
    private final Optional<StructSchema> struct;

    private final List<String> duplicates;

    private Patch(String type, JsonNode body, Optional<StructSchema> struct, List<String> duplicates) {
        this.type = type;
        this.body = body;
        this.struct = struct;
        this.duplicates = duplicates;
    }

    /** Reads the patch of a request to an object whose fields are known or, for custom kinds, are not. */
    public static Patch of(Request request, Optional<StructSchema> struct) {
        String contentType = request.header("content-type");
        int parameters = contentType.indexOf(';');
        String type = parameters < 0
                ? contentType
                : contentType.substring(0, parameters).strip();
        List<String> offered =
                struct.isPresent() ? List.of(JSON_PATCH, MERGE_PATCH, STRATEGIC) : List.of(JSON_PATCH, MERGE_PATCH);
        if (!offered.contains(type)) {
            throw new ApiFailure(refusal(type, offered));
        }
        try {
            return new Patch(type, Json.read(request.body()), struct, DuplicateFields.in(request.body()));
        } catch (IOException malformed) {
            throw new ApiFailure(ApiStatus.badRequest("error decoding patch: the body is not JSON"), malformed);
        }
    }

    /** The patched object, which is the caller's own; the original stays as it is. */
    public JsonNode apply(ObjectNode original) {
        try {
            return switch (type) {
                case JSON_PATCH -> JsonPatch.parse(body).apply(original);
                case MERGE_PATCH -> MergePatch.apply(original.deepCopy(), body);
                default -> StrategicMergePatch.apply(original, body, struct.orElseThrow());
            };
        } catch (PatchException refused) {
            throw new ApiFailure(
                    switch (refused.fault()) {
                        case MALFORMED -> ApiStatus.badRequest(refused.refusal());
                        case DOES_NOT_APPLY -> ApiStatus.unprocessable(refused.refusal());
                    },
                    refused);
        }
    }

    /** The fields the patch itself names twice, in the words of a warning. */
    List<String> duplicates() {
        return duplicates;
    }

    /** The refusal of what the patch made of an object, which shows what the real server shows of either. */
    ApiFailure refusal(JsonNode patched, String why) {
        String shown =
                type.equals(STRATEGIC) ? GoText.map(body) : sortedOnTop(patched).toString();
        return new ApiFailure(
                ApiStatus.invalid("", "", "", List.of(FieldError.invalid(Path.of("patch"), GoText.node(shown), why))));
    }

    private static JsonNode sortedOnTop(JsonNode patched) {
        ObjectNode sorted = JsonNodeFactory.instance.objectNode();
        Map<String, JsonNode> fields = new TreeMap<>();
        patched.properties().forEach(each -> fields.put(each.getKey(), each.getValue()));
        return patched.isObject() ? sorted.setAll(fields) : patched;
    }

    private static ApiStatus refusal(String type, List<String> offered) {
        ApiStatus status = ApiStatus.unsupportedMediaType(offered);
        if (type.equals(APPLY)) {
            status.tree()
                    .put(
                            "message",
                            status.message() + ". Server-side apply is not offered by this server: apply without"
                                    + " --server-side, or patch.");
        }
        return status;
    }
}
