package dev.berth.embedded.rest.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.store.Stored;
import java.util.List;
import java.util.OptionalLong;

/** Objects of one kind at one revision, with what a client needs to ask for the rest. */
public record ObjectList(List<Stored> items, long revision, String continueToken, OptionalLong remaining) {

    public ObjectList {
        items = List.copyOf(items);
    }

    public static ObjectList whole(List<Stored> items, long revision) {
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
