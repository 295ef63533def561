package dev.berth.core.cluster;

import dev.berth.core.text.ForeignText;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** An expression of a label selector or of a node affinity term, such as {@code zone In [a, b]}. */
public record Requirement(String key, Operator operator, List<String> values) {
    /** How the value is compared. {@code GT} and {@code LT} compare integers, and occur in node affinity alone. */
    public enum Operator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist"),
        GT("Gt"),
        LT("Lt");

        private static final Map<String, Operator> BY_NAME =
                Arrays.stream(values()).collect(Collectors.toMap(operator -> operator.apiName, operator -> operator));

        private final String apiName;

        Operator(String apiName) {
            this.apiName = apiName;
        }

        /** The operator with this name in the Kubernetes API, such as {@code NotIn}. */
        public static Optional<Operator> find(String apiName) {
            return Optional.ofNullable(BY_NAME.get(apiName));
        }

        /** Its name in the Kubernetes API. */
        public String apiName() {
            return apiName;
        }

        /** The names of all operators in the Kubernetes API. */
        public static Set<String> apiNames() {
            return BY_NAME.keySet();
        }
    }

    public Requirement {
        values = HashedList.copyOf(values);
        int count = values.size();
        boolean isValid = switch (operator) {
            case IN, NOT_IN -> count > 0;
            case EXISTS, DOES_NOT_EXIST -> count == 0;
            case GT, LT -> count == 1;
        };
        if (!isValid) {
            throw new IllegalArgumentException("requirement on key (%s): operator (%s) does not allow values (%s)"
                    .formatted(ForeignText.quote(key), operator, ForeignText.quote(values)));
        }
    }

    public boolean matches(Labels labels) {
        return matches(labels.get(key));
    }

    /** @param value the value of the key; empty where the key is absent */
    boolean matches(Optional<String> value) {
        return switch (operator) {
            case IN -> value.isPresent() && values.contains(value.get());
            case NOT_IN -> value.isEmpty() || !values.contains(value.get());
            case EXISTS -> value.isPresent();
            case DOES_NOT_EXIST -> value.isEmpty();
            case GT -> value.isPresent() && compareNumbers(value.get(), 1);
            case LT -> value.isPresent() && compareNumbers(value.get(), -1);
        };
    }

    /** A value that is not an integer never matches, neither the node's nor the requirement's. */
    private boolean compareNumbers(String value, int sign) {
        try {
            return Integer.signum(Long.compare(Long.parseLong(value), Long.parseLong(values.get(0)))) == sign;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }
}
