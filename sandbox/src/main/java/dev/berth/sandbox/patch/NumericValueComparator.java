package dev.berth.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;

/** Tells leaves of two trees apart, but not {@code 1} from {@code 1.0}. */
final class NumericValueComparator implements Comparator<JsonNode> {

    static final NumericValueComparator INSTANCE = new NumericValueComparator();

    private NumericValueComparator() {}

    static boolean same(JsonNode left, JsonNode right) {
        return left.equals(INSTANCE, right);
    }

    @Override
    public int compare(JsonNode left, JsonNode right) {
        if (left.isNumber() && right.isNumber()) {
            return left.decimalValue().compareTo(right.decimalValue());
        }
        return left.equals(right) ? 0 : 1;
    }
}
