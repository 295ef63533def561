package dev.berth.sandbox.endpoints.serializer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.storage.StoredObject;
import java.util.List;
import java.util.OptionalLong;

/** Objects of one kind at one revision, with the continue token of the next page. */
public record ObjectList(List<StoredObject> items, long revision, String continueToken, OptionalLong remaining) {

    public ObjectList {
        items = List.copyOf(items);
    }

    public static ObjectList whole(List<StoredObject> items, long revision) {
        return new ObjectList(items, revision, "", OptionalLong.empty());
    }

    ObjectNode metadata() {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        metadata.put("resourceVersion", Long.toString(revision));
        if (!continueToken.isEmpty()) {
            metadata.put("continue", continueToken);
        }
        remaining.ifPresent(count -> metadata.put("remainingItemCount", count));
        return metadata;
    }
}
