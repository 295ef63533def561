package dev.berth.core.cluster;

import java.util.Optional;

/** A toleration of a pod. An empty key with {@code EXISTS} tolerates every taint. */
public record Toleration(String key, Operator operator, String value, Optional<Taint.TaintEffect> effect) {
    /** How the taint's value is compared. */
    public enum Operator {
        EQUAL,
        EXISTS
    }

    public Toleration {
        if (key.isEmpty() && operator == Operator.EQUAL) {
            throw new IllegalArgumentException("toleration without a key must have operator Exists, not Equal");
        }
    }

    public boolean tolerates(Taint taint) {
        if (effect.isPresent() && effect.get() != taint.effect()) {
            return false;
        }
        if (!key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        return operator == Operator.EXISTS || value.equals(taint.value());
    }
}
