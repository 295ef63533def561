package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;

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
        values = HashedList.copyOf(values);
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
        return matches(labels.get(key));
    }

    /** @param value what the key has; empty where the key is not there */
    boolean matches(Optional<String> value) {
        return switch (operator) {
            case IN -> value.isPresent() && values.contains(value.get());
            case NOT_IN -> value.isEmpty() || !values.contains(value.get());
            case EXISTS -> value.isPresent();
            case DOES_NOT_EXIST -> value.isEmpty();
            case GT -> value.isPresent() && compares(value.get(), 1);
            case LT -> value.isPresent() && compares(value.get(), -1);
        };
    }

    /** A value that is no whole number matches nothing, on either side. */
    private boolean compares(String value, int sign) {
        try {
            return Integer.signum(Long.compare(Long.parseLong(value), Long.parseLong(values.get(0)))) == sign;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }
}
