package dev.berth.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.PatchStrategy;
import dev.berth.sandbox.schema.StructSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Kubernetes' strategic merge patch: lists whose elements have a key are merged by it, and directives in the patch can delete, replace,
 * retain and order.
 */
public final class StrategicMergePatch {

    private StrategicMergePatch() {}

    /** The patched object; neither argument is changed. */
    public static ObjectNode apply(ObjectNode original, JsonNode patch, StructSchema struct) throws PatchException {
        if (!(patch instanceof ObjectNode changes)) {
            throw PatchException.malformed(
                    "a strategic merge patch is an object, this is (%s)".formatted(JsonPatch.shown(patch)));
        }
        PatchMeta type = new PatchMeta(new FieldType.StructOf(struct), PatchStrategy.NONE);
        return merge(original.deepCopy(), changes.deepCopy(), type);
    }

    /** Merges into the original, which it may change, as it may the patch. */
    static ObjectNode merge(ObjectNode original, ObjectNode patch, PatchMeta type) throws PatchException {
        if (PatchDirectives.isDirective(patch)) {
            return applyRootDirective(patch);
        }
        PatchDirectives.retainKeys(original, patch);
        for (String key : PatchDirectives.keysOf(patch, PatchDirectives.SET_ELEMENT_ORDER)) {
            ElementOrder.apply(original, patch, key, type);
        }
        for (Map.Entry<String, JsonNode> change : List.copyOf(patch.properties())) {
            mergeMember(original, change.getKey(), change.getValue(), type);
        }
        return original;
    }

    private static ObjectNode applyRootDirective(ObjectNode patch) throws PatchException {
        String directive = patch.get(PatchDirectives.PATCH).asText();
        return switch (directive) {
            case "replace" -> {
                patch.remove(PatchDirectives.PATCH);
                yield patch;
            }
            case "delete" -> JsonNodeFactory.instance.objectNode();
            default -> throw unknownDirective(patch);
        };
    }

    static PatchException unknownDirective(JsonNode patch) {
        return PatchException.doesNotApply("unknown patch type found: %s in map: %s; use replace or delete"
                .formatted(patch.path(PatchDirectives.PATCH).asText(), JsonPatch.shown(patch)));
    }

    private static void mergeMember(ObjectNode original, String key, JsonNode change, PatchMeta type)
            throws PatchException {
        if (key.startsWith(PatchDirectives.DELETE_FROM_LIST)) {
            deleteFromList(original, PatchDirectives.fieldOf(key, PatchDirectives.DELETE_FROM_LIST), change);
            return;
        }
        JsonNode before = original.get(key);
        if (change.isNull()) {
            original.remove(key);
        } else if (before instanceof ObjectNode object && change instanceof ObjectNode changes) {
            PatchMeta member = type.member(key);
            original.set(key, member.strategy().replace() ? changes : merge(object, changes, member));
        } else if (before instanceof ArrayNode list && change instanceof ArrayNode changes) {
            original.set(
                    key,
                    ListMerge.array(
                            ListMerge.merge(ListMerge.elements(list), ListMerge.elements(changes), type.member(key))));
        } else if (PatchDirectives.isDirective(change)) {
            original.remove(key);
        } else {
            original.set(key, PatchDirectives.withoutNullsAndDirectives(change));
        }
    }

    private static void deleteFromList(ObjectNode original, String key, JsonNode values) throws PatchException {
        if (!values.isArray()) {
            throw PatchException.malformed("invalid patch format of primitive list: (%s) for (%s) is not a list"
                    .formatted(JsonPatch.shown(values), key));
        }
        if (!(original.get(key) instanceof ArrayNode list)) {
            return;
        }
        List<JsonNode> kept = new ArrayList<>();
        for (JsonNode element : list) {
            if (!ListMerge.contains(values, element)) {
                kept.add(element);
            }
        }
        list.removeAll().addAll(kept);
    }
}
