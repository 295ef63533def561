package dev.berth.core.cluster;

import java.util.List;

/** One expression of a label selector or of a node affinity term, such as {@code zone In [a, b]}. */
public record Requirement(String key, Operator operator, List<String> values) {
    /** How the value is compared. {@code GT} and {@code LT} compare whole numbers and occur on nodes alone. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GT,
        LT
    }

    public Requirement {
        values = List.copyOf(values);
        int count = values.size();
        boolean fits = switch (operator) {
            case IN, NOT_IN -> count > 0;
            case EXISTS, DOES_NOT_EXIST -> count == 0;
            case GT, LT -> count == 1;
        };
        if (!fits) {
            throw new IllegalArgumentException("requirement on key (%s): operator (%s) does not go with values (%s)"
                    .formatted(key, operator, values));
        }
    }

    public boolean matches(Labels labels) {
        return switch (operator) {
            case IN -> labels.get(key).map(values::contains).orElse(false);
            case NOT_IN -> !labels.get(key).map(values::contains).orElse(false);
            case EXISTS -> labels.has(key);
            case DOES_NOT_EXIST -> !labels.has(key);
            case GT -> compares(labels, 1);
            case LT -> compares(labels, -1);
        };
    }

    /** A value that is no whole number matches nothing, on either side. */
    private boolean compares(Labels labels, int sign) {
        try {
            long bound = Long.parseLong(values.get(0));
            return labels.get(key)
                    .map(value -> Integer.signum(Long.compare(Long.parseLong(value), bound)) == sign)
                    .orElse(false);
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }
}
