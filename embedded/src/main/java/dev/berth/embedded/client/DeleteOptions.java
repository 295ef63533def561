package dev.berth.embedded.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import java.util.Optional;

/** How to delete: by whose identity, with how much grace, and what becomes of the dependents. */
public record DeleteOptions(
        Optional<String> uid,
        Optional<String> resourceVersion,
        Optional<Integer> graceSeconds,
        Optional<Propagation> propagation) {

    /** What becomes of the objects that the deleted one owns. */
    public enum Propagation {
        BACKGROUND("Background"),
        FOREGROUND("Foreground"),
        ORPHAN("Orphan");

        private final String word;

        Propagation(String word) {
            this.word = word;
        }
    }

    /** The server's defaults, without a precondition. */
    public static final DeleteOptions DEFAULT =
            new DeleteOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public DeleteOptions {
        graceSeconds.filter(seconds -> seconds < 0).ifPresent(seconds -> {
            throw new IllegalArgumentException("grace (%d) is negative".formatted(seconds));
        });
    }

    /** Deletes that very object and no later one of its name. */
    public static DeleteOptions only(ObjectNode object) {
        return DEFAULT.withUid(Meta.uid(object));
    }

    public DeleteOptions withUid(String expected) {
        return new DeleteOptions(Optional.of(expected), resourceVersion, graceSeconds, propagation);
    }

    public DeleteOptions withResourceVersion(String expected) {
        return new DeleteOptions(uid, Optional.of(expected), graceSeconds, propagation);
    }

    public DeleteOptions withGrace(int seconds) {
        return new DeleteOptions(uid, resourceVersion, Optional.of(seconds), propagation);
    }

    public DeleteOptions with(Propagation policy) {
        return new DeleteOptions(uid, resourceVersion, graceSeconds, Optional.of(policy));
    }

    ObjectNode toJson() {
        ObjectNode body = Json.object().put("kind", "DeleteOptions").put("apiVersion", "v1");
        graceSeconds.ifPresent(seconds -> body.put("gracePeriodSeconds", seconds));
        propagation.ifPresent(policy -> body.put("propagationPolicy", policy.word));
        if (uid.isPresent() || resourceVersion.isPresent()) {
            ObjectNode preconditions = body.putObject("preconditions");
            uid.ifPresent(expected -> preconditions.put("uid", expected));
            resourceVersion.ifPresent(expected -> preconditions.put("resourceVersion", expected));
        }
        return body;
    }
}
