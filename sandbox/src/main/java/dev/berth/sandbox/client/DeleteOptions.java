package dev.berth.sandbox.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.Optional;

/** The options of a deletion: preconditions, grace period and propagation policy. */
public record DeleteOptions(
        Optional<String> uid,
        Optional<String> resourceVersion,
        Optional<Integer> gracePeriodSeconds,
        Optional<Propagation> propagation) {

    /** The propagation policy. */
    public enum Propagation {
        BACKGROUND("Background"),
        FOREGROUND("Foreground"),
        ORPHAN("Orphan");

        private final String value;

        Propagation(String word) {
            this.value = word;
        }
    }

    /** The server's defaults, without a precondition. */
    public static final DeleteOptions DEFAULT =
            new DeleteOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public DeleteOptions {
        gracePeriodSeconds.filter(seconds -> seconds < 0).ifPresent(seconds -> {
            throw new IllegalArgumentException("grace (%d) is negative".formatted(seconds));
        });
    }

    /** Deletes the object with this UID only. */
    public static DeleteOptions withUidOf(ObjectNode object) {
        return DEFAULT.withUid(ObjectMetaReader.uid(object));
    }

    public DeleteOptions withUid(String expected) {
        return new DeleteOptions(Optional.of(expected), resourceVersion, gracePeriodSeconds, propagation);
    }

    public DeleteOptions withResourceVersion(String expected) {
        return new DeleteOptions(uid, Optional.of(expected), gracePeriodSeconds, propagation);
    }

    public DeleteOptions withGracePeriod(int seconds) {
        return new DeleteOptions(uid, resourceVersion, Optional.of(seconds), propagation);
    }

    public DeleteOptions withPropagation(Propagation policy) {
        return new DeleteOptions(uid, resourceVersion, gracePeriodSeconds, Optional.of(policy));
    }

    ObjectNode toJson() {
        ObjectNode body = NestedFields.newObject().put("kind", "DeleteOptions").put("apiVersion", "v1");
        gracePeriodSeconds.ifPresent(seconds -> body.put("gracePeriodSeconds", seconds));
        propagation.ifPresent(policy -> body.put("propagationPolicy", policy.value));
        if (uid.isPresent() || resourceVersion.isPresent()) {
            ObjectNode preconditions = body.putObject("preconditions");
            uid.ifPresent(expected -> preconditions.put("uid", expected));
            resourceVersion.ifPresent(expected -> preconditions.put("resourceVersion", expected));
        }
        return body;
    }
}
