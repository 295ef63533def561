package dev.berth.sandbox.storage;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes the {@code metadata} of object trees. */
public final class ObjectMetaEditor {

    private ObjectMetaEditor() {}

    /** The metadata of a tree that the caller owns, created if absent. */
    public static ObjectNode mutableMetadata(ObjectNode mutable) {
        return mutable.get("metadata") instanceof ObjectNode there ? there : mutable.putObject("metadata");
    }

    /** Sets the finalizers of a tree that the caller owns; an empty list removes the field. */
    public static void setFinalizers(ObjectNode mutable, List<String> finalizers) {
        ObjectNode metadata = mutableMetadata(mutable);
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
            return;
        }
        ArrayNode array = metadata.putArray("finalizers");
        finalizers.forEach(array::add);
    }

    /** A copy of the root and the metadata; everything below is shared with the original. */
    public static ObjectNode shallowCopy(ObjectNode tree) {
        ObjectNode copy = tree.objectNode();
        copy.setAll(tree);
        if (tree.get("metadata") instanceof ObjectNode metadata) {
            ObjectNode mutable = tree.objectNode();
            mutable.setAll(metadata);
            copy.set("metadata", mutable);
        }
        return copy;
    }

    static ObjectNode withResourceVersion(ObjectNode tree, long revision) {
        ObjectNode copy = shallowCopy(tree);
        setResourceVersion(copy, revision);
        return copy;
    }

    static void setResourceVersion(ObjectNode mutable, long revision) {
        mutableMetadata(mutable).put("resourceVersion", Long.toString(revision));
    }
}
