package dev.berth.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The directives of a strategic merge patch. */
final class PatchDirectives {

    static final String PATCH = "$patch";
    static final String RETAIN_KEYS = "$retainKeys";
    static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList";
    static final String SET_ELEMENT_ORDER = "$setElementOrder";

    private PatchDirectives() {}

    /** The keys of a patch that start with a directive. */
    static List<String> keysOf(ObjectNode patch, String directive) {
        List<String> keys = new ArrayList<>();
        patch.fieldNames().forEachRemaining(key -> {
            if (key.startsWith(directive)) {
                keys.add(key);
            }
        });
        return keys;
    }

    /** The field a directive's key speaks of: {@code $setElementOrder/containers}. */
    static String fieldOf(String key, String directive) throws PatchException {
        if (!key.startsWith(directive + "/")) {
            throw PatchException.malformed("invalid patch format of %s: (%s) names no field; write %s/field"
                    .formatted(directive, key, directive));
        }
        return key.substring(directive.length() + 1);
    }

    /** Applies {@code $retainKeys}: removes all other keys. */
    static void retainKeys(ObjectNode original, ObjectNode patch) throws PatchException {
        JsonNode directive = patch.remove(RETAIN_KEYS);
        if (directive == null) {
            return;
        }
        if (!directive.isArray()) {
            throw badRetainKeys("it is not a list");
        }
        Set<String> retained = new HashSet<>();
        directive.forEach(key -> retained.add(key.asText()));
        for (var member : patch.properties()) {
            String key = member.getKey();
            boolean field = !key.startsWith(DELETE_FROM_LIST) && !key.startsWith(SET_ELEMENT_ORDER);
            if (field && !member.getValue().isNull() && !retained.contains(key)) {
                throw badRetainKeys("field (" + key + ") is patched but not retained");
            }
        }
        original.retain(retained);
    }

    private static PatchException badRetainKeys(String why) {
        return PatchException.malformed("invalid patch format of retainKeys: %s".formatted(why));
    }

    /** A value as it is taken over where there was none: without nulls, and without what only directs. */
    static JsonNode withoutNullsAndDirectives(JsonNode value) {
        return filtered(value, member -> !member.isNull() && !isDirective(member));
    }

    /** The elements of a list as they are taken over where there was none: without what only directs. */
    static JsonNode withoutDirectives(JsonNode value) {
        return filtered(value, member -> !isDirective(member));
    }

    /** In lists only what directs can go: a null there is a value. */
    private static JsonNode filtered(JsonNode value, Predicate<JsonNode> kept) {
        if (value instanceof ObjectNode object) {
            ObjectNode plain = JsonNodeFactory.instance.objectNode();
            for (var member : object.properties()) {
                if (kept.test(member.getValue())) {
                    plain.set(member.getKey(), filtered(member.getValue(), kept));
                }
            }
            return plain;
        }
        if (value instanceof ArrayNode array) {
            ArrayNode plain = JsonNodeFactory.instance.arrayNode();
            for (JsonNode element : array) {
                if (!isDirective(element)) {
                    plain.add(filtered(element, kept));
                }
            }
            return plain;
        }
        return value;
    }

    /** Whether an object directs instead of being taken over. */
    static boolean isDirective(JsonNode value) {
        return value.has(PATCH);
    }
}
