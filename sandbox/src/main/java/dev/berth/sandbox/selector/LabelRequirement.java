package dev.berth.sandbox.selector;

import java.util.List;
import java.util.Map;

/** One condition on one label. */
public record LabelRequirement(String key, Operator operator, List<String> values) {

    /** How a label's value is compared. A label that is missing satisfies the negative ones. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER_THAN,
        LESS_THAN
    }

    public LabelRequirement {
        values = List.copyOf(values);
    }

    boolean matches(Map<String, String> labels) {
        String value = labels.get(key);
        return switch (operator) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
            case GREATER_THAN -> value != null && compareTo(value, 1);
            case LESS_THAN -> value != null && compareTo(value, -1);
        };
    }

    @Override
    public String toString() {
        return switch (operator) {
            case IN -> values.size() == 1 ? key + "=" + values.get(0) : key + " in " + set();
            case NOT_IN -> values.size() == 1 ? key + "!=" + values.get(0) : key + " notin " + set();
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "!" + key;
            case GREATER_THAN -> key + ">" + values.get(0);
            case LESS_THAN -> key + "<" + values.get(0);
        };
    }

    private String set() {
        return "(" + String.join(",", values) + ")";
    }

    private boolean compareTo(String value, int wanted) {
        try {
            return Integer.signum(Long.compare(Long.parseLong(value), Long.parseLong(values.get(0)))) == wanted;
        } catch (NumberFormatException notWhole) {
            return false;
        }
    }
}
