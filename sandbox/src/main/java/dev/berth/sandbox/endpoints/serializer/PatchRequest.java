package dev.berth.sandbox.endpoints.serializer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.patch.JsonPatch;
import dev.berth.sandbox.patch.MergePatch;
import dev.berth.sandbox.patch.PatchException;
import dev.berth.sandbox.patch.StrategicMergePatch;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The patch of a request. */
public final class PatchRequest {

    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";

    private final String type;
    private final JsonNode body;
    private final Optional<StructSchema> struct;

    private final List<String> duplicateFields;

    private PatchRequest(String type, JsonNode body, Optional<StructSchema> struct, List<String> duplicates) {
        this.type = type;
        this.body = body;
        this.struct = struct;
        this.duplicateFields = duplicates;
    }

    /** Reads the patch of a request to an object whose fields are known or, for custom kinds, are not. */
    public static PatchRequest of(RestRequest request, Optional<StructSchema> struct) {
        String contentType = request.header("content-type");
        int parameters = contentType.indexOf(';');
        String type = parameters < 0
                ? contentType
                : contentType.substring(0, parameters).strip();
        List<String> offered =
                struct.isPresent() ? List.of(JSON_PATCH, MERGE_PATCH, STRATEGIC) : List.of(JSON_PATCH, MERGE_PATCH);
        if (!offered.contains(type)) {
            throw new ApiStatusException(invalidResult(type, offered));
        }
        try {
            return new PatchRequest(
                    type, JsonText.read(request.body()), struct, DuplicateFieldFinder.find(request.body()));
        } catch (IOException malformed) {
            throw new ApiStatusException(ApiStatus.badRequest("error decoding patch: the body is not JSON"), malformed);
        }
    }

    /** The patched object, owned by the caller; the original is not changed. */
    public JsonNode apply(ObjectNode original) {
        try {
            return switch (type) {
                case JSON_PATCH -> JsonPatch.parse(body).apply(original);
                case MERGE_PATCH -> MergePatch.apply(original.deepCopy(), body);
                default -> StrategicMergePatch.apply(original, body, struct.orElseThrow());
            };
        } catch (PatchException refused) {
            throw new ApiStatusException(
                    switch (refused.fault()) {
                        case MALFORMED -> ApiStatus.badRequest(refused.message());
                        case DOES_NOT_APPLY -> ApiStatus.unprocessable(refused.message());
                    },
                    refused);
        }
    }

    /** The warnings about duplicate fields of the patch. */
    List<String> duplicateFields() {
        return duplicateFields;
    }

    /** The error of an invalid patched object, with the details that the real server shows. */
    ApiStatusException invalidResult(JsonNode patched, String why) {
        String shown = type.equals(STRATEGIC)
                ? GoFormat.formatMap(body)
                : sortTopLevel(patched).toString();
        return new ApiStatusException(ApiStatus.invalid(
                "", "", "", List.of(FieldError.invalid(FieldPath.of("patch"), GoFormat.node(shown), why))));
    }

    private static JsonNode sortTopLevel(JsonNode patched) {
        ObjectNode sorted = JsonNodeFactory.instance.objectNode();
        Map<String, JsonNode> fields = new TreeMap<>();
        patched.properties().forEach(each -> fields.put(each.getKey(), each.getValue()));
        return patched.isObject() ? sorted.setAll(fields) : patched;
    }

    private static ApiStatus invalidResult(String type, List<String> offered) {
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
