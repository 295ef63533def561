package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether the API treats two trees as the same. An absent field, a null, an empty list and an object without content are
 * equal, and so are numbers of equal value.
 */
public final class SemanticEquality {
    private SemanticEquality() {}

    public static boolean areEqual(JsonNode one, JsonNode other) {
        if (isEmptyValue(one) || isEmptyValue(other)) {
            return isEmptyValue(one) && isEmptyValue(other);
        }
        if (one.isObject() && other.isObject()) {
            return haveEqualFields(one, other);
        }
        if (one.isArray() && other.isArray()) {
            return haveEqualElements(one, other);
        }
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue()) == 0;
        }
        return one.equals(other);
    }

    private static boolean isEmptyValue(JsonNode node) {
        if (node.isObject()) {
            return node.properties().stream().allMatch(field -> isEmptyValue(field.getValue()));
        }
        return node.isMissingNode() || node.isNull() || (node.isArray() && node.isEmpty());
    }

    private static boolean haveEqualFields(JsonNode one, JsonNode other) {
        Set<String> names = new TreeSet<>();
        one.fieldNames().forEachRemaining(names::add);
        other.fieldNames().forEachRemaining(names::add);
        return names.stream().allMatch(name -> areEqual(one.path(name), other.path(name)));
    }

    private static boolean haveEqualElements(JsonNode one, JsonNode other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            if (!areEqual(one.get(i), other.get(i))) {
                return false;
            }
        }
        return true;
    }
}
