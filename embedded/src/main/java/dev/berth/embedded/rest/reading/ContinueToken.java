package dev.berth.embedded.rest.reading;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.kind.Json;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.tree.Trees;
import java.io.IOException;
import java.util.Base64;

/**
 * Where a list that was cut goes on: behind a key, at the revision of its first part. A revision below zero means the
 * newest one, for clients that accept a list in which parts differ in age.
 */
record ContinueToken(long revision, ObjectKey after) {

    private static final String VERSION = "meta.k8s.io/v1";

    String encode() {
        String start = after.namespace().isEmpty() ? after.name() : after.namespace() + "/" + after.name();
        JsonNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("v", VERSION)
                .put("rv", revision)
                .put("start", start + "\u0000");
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.write(tree));
    }

    static ContinueToken decode(String text) {
        JsonNode tree;
        try {
            tree = Json.read(Base64.getUrlDecoder().decode(text));
        } catch (IOException | IllegalArgumentException malformed) {
            throw new ApiFailure(refusal("continue key is not valid"), malformed);
        }
        if (!Trees.text(tree, "v").equals(VERSION)) {
            throw new ApiFailure(refusal("continue key is not valid: server does not recognize this encoded version "
                    + Trees.text(tree, "v")));
        }
        String start = Trees.text(tree, "start").replace("\u0000", "");
        String name = start.substring(start.indexOf('/') + 1);
        long revision = Trees.number(tree, "rv");
        if (name.isEmpty() || revision == 0) {
            throw new ApiFailure(refusal("continue key is not valid"));
        }
        return new ContinueToken(revision, new ObjectKey(start.substring(0, Math.max(0, start.indexOf('/'))), name));
    }

    private static ApiStatus refusal(String why) {
        return ApiStatus.badRequest("invalid continue token: " + why);
    }
}
