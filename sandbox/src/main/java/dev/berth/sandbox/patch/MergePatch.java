package dev.berth.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** JSON Merge Patch, RFC 7386: objects merge, null removes, anything else replaces. */
public final class MergePatch {

    private MergePatch() {}

    /** The patched object; neither argument is changed. */
    public static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch.deepCopy();
        }
        ObjectNode result =
                target instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        mergeInto(result, changes);
        return result;
    }

    private static void mergeInto(ObjectNode target, ObjectNode changes) {
        for (Map.Entry<String, JsonNode> change : changes.properties()) {
            String key = change.getKey();
            JsonNode value = change.getValue();
            if (value.isNull()) {
                target.remove(key);
            } else if (value instanceof ObjectNode nested) {
                ObjectNode inner =
                        target.get(key) instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
                mergeInto(inner, nested);
                target.set(key, inner);
            } else {
                target.set(key, value.deepCopy());
            }
        }
    }
}
