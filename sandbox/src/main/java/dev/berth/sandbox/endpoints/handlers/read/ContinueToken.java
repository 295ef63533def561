package dev.berth.sandbox.endpoints.handlers.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.storage.StorageKey;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import java.io.IOException;
import java.util.Base64;

/**
 * The position of the next page of a list: a key, and the revision of the first page. A negative revision means the
 * newest one, for clients that accept an inconsistent list.
 */
record ContinueToken(long revision, StorageKey after) {

    private static final String VERSION = "meta.k8s.io/v1";

    String encode() {
        String start = after.namespace().isEmpty() ? after.name() : after.namespace() + "/" + after.name();
        JsonNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("v", VERSION)
                .put("rv", revision)
                .put("start", start + "\u0000");
        return Base64.getUrlEncoder().withoutPadding().encodeToString(JsonText.write(tree));
    }

    static ContinueToken decode(String text) {
        JsonNode tree;
        try {
            tree = JsonText.read(Base64.getUrlDecoder().decode(text));
        } catch (IOException | IllegalArgumentException malformed) {
            throw new ApiStatusException(refusal("continue key is not valid"), malformed);
        }
        if (!NestedFields.text(tree, "v").equals(VERSION)) {
            throw new ApiStatusException(
                    refusal("continue key is not valid: server does not recognize this encoded version "
                            + NestedFields.text(tree, "v")));
        }
        String start = NestedFields.text(tree, "start").replace("\u0000", "");
        String name = start.substring(start.indexOf('/') + 1);
        long revision = NestedFields.number(tree, "rv");
        if (name.isEmpty() || revision == 0) {
            throw new ApiStatusException(refusal("continue key is not valid"));
        }
        return new ContinueToken(revision, new StorageKey(start.substring(0, Math.max(0, start.indexOf('/'))), name));
    }

    private static ApiStatus refusal(String why) {
        return ApiStatus.badRequest("invalid continue token: " + why);
    }
}
