package dev.berth.sandbox.admission.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.unstructured.NestedFields;
import java.io.IOException;
import java.util.Optional;

/** Writes AdmissionReview requests and reads the responses. */
final class AdmissionReviews {

    private static final String API_VERSION = "admission.k8s.io/v1";
    private static final String KIND = "AdmissionReview";

    private AdmissionReviews() {}

    static ObjectNode newRequest(String uid, AdmissionRequest request) {
        ObjectNode review = JsonNodeFactory.instance.objectNode();
        review.put("kind", KIND).put("apiVersion", API_VERSION);
        ObjectNode asked = review.putObject("request");
        asked.put("uid", uid);
        asked.set("kind", kind(request.kind()));
        asked.set("resource", resource(request));
        subresource(asked, "subResource", request);
        asked.set("requestKind", kind(request.kind()));
        asked.set("requestResource", resource(request));
        subresource(asked, "requestSubResource", request);
        if (!request.targetName().name().isEmpty()) {
            asked.put("name", request.targetName().name());
        }
        if (!request.targetName().namespace().isEmpty()) {
            asked.put("namespace", request.targetName().namespace());
        }
        asked.put("operation", request.operation().name());
        asked.set("userInfo", user(request.requestAttributes().userInfo()));
        asked.set("object", request.object().map(JsonNode.class::cast).orElseGet(asked::nullNode));
        asked.set("oldObject", request.oldObject().map(JsonNode.class::cast).orElseGet(asked::nullNode));
        asked.put("dryRun", request.requestAttributes().dryRun());
        asked.set("options", request.requestAttributes().options());
        return review;
    }

    /** The response of a review, after the checks that need no knowledge of the request. */
    static JsonNode response(String uid, ObjectNode review) throws IOException {
        String kind = NestedFields.text(review, "apiVersion") + ", Kind=" + NestedFields.text(review, "kind");
        if (!kind.equals(API_VERSION + ", Kind=" + KIND)) {
            throw new IOException("expected webhook response of " + API_VERSION + ", Kind=" + KIND + ", got " + kind);
        }
        JsonNode response = review.path("response");
        if (!response.isObject()) {
            throw new IOException("webhook response was absent");
        }
        if (!NestedFields.text(response, "uid").equals(uid)) {
            throw new IOException(
                    "expected response.uid=\"" + uid + "\", got \"" + NestedFields.text(response, "uid") + "\"");
        }
        return response;
    }

    /** The encoded patch of a mutating webhook; empty when the webhook changes nothing. */
    static Optional<String> patch(JsonNode response) throws IOException {
        String patch = NestedFields.text(response, "patch");
        String type = NestedFields.text(response, "patchType");
        if (patch.isEmpty() && type.isEmpty()) {
            return Optional.empty();
        }
        if (patch.isEmpty()) {
            throw new IOException("webhook returned response.patchType but not response.patch");
        }
        if (!type.equals("JSONPatch")) {
            throw new IOException("webhook returned invalid response.patchType of \"" + type + "\"");
        }
        return Optional.of(patch);
    }

    private static ObjectNode kind(GroupVersionKind gvk) {
        ObjectNode kind = JsonNodeFactory.instance.objectNode();
        return kind.put("group", gvk.group()).put("version", gvk.version()).put("kind", gvk.kind());
    }

    private static ObjectNode resource(AdmissionRequest request) {
        GroupVersionKind gvk = request.resource().gvk();
        ObjectNode resource = JsonNodeFactory.instance.objectNode();
        resource.put("group", gvk.group()).put("version", gvk.version());
        return resource.put("resource", request.resource().names().plural());
    }

    private static void subresource(ObjectNode asked, String field, AdmissionRequest request) {
        if (!request.subresource().isEmpty()) {
            asked.put(field, request.subresource());
        }
    }

    private static ObjectNode user(UserInfo userInfo) {
        ObjectNode info = JsonNodeFactory.instance.objectNode();
        info.put("username", userInfo.name());
        ArrayNode groups = info.putArray("groups");
        userInfo.groups().forEach(groups::add);
        return info;
    }
}
