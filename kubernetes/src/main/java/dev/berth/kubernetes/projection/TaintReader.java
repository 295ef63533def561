package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import java.util.Optional;

/** Reads taints and tolerations. */
public final class TaintReader {
    private static final FieldNames TAINT =
            FieldNames.none().with(1, "key").with(2, "value").with(3, "effect");
    private static final FieldNames TOLERATION = FieldNames.none()
            .with(1, "key")
            .with(2, "operator")
            .with(3, "value")
            .with(4, "effect");

    private TaintReader() {}

    static Taint readTaint(Cursor in) {
        String key = "";
        String value = "";
        String effect = "";
        in.enter();
        for (int field = in.nextField(TAINT); field != 0; field = in.nextField(TAINT)) {
            switch (field) {
                case 1 -> key = in.text();
                case 2 -> value = in.text();
                case 3 -> effect = in.text();
                default -> in.skip();
            }
        }
        in.leave();
        return new Taint(key, value, parseEffect(effect));
    }

    /** Empty for a toleration that compares numbers, which needs an alpha feature of the server. */
    static Optional<Toleration> readToleration(Cursor in) {
        String key = "";
        String operator = "";
        String value = "";
        String effect = "";
        in.enter();
        for (int field = in.nextField(TOLERATION); field != 0; field = in.nextField(TOLERATION)) {
            switch (field) {
                case 1 -> key = in.text();
                case 2 -> operator = in.text();
                case 3 -> value = in.text();
                case 4 -> effect = in.text();
                default -> in.skip();
            }
        }
        in.leave();
        return toToleration(key, operator, value, effect);
    }

    /** Empty for an operator by which no taint is tolerated. */
    static Optional<Toleration> toToleration(String key, String operator, String value, String effect) {
        Optional<Taint.TaintEffect> taintEffect =
                effect.isEmpty() ? Optional.empty() : Optional.of(parseEffect(effect));
        return switch (operator) {
            case "", "Equal" -> Optional.of(new Toleration(key, Toleration.Operator.EQUAL, value, taintEffect));
            case "Exists" -> Optional.of(new Toleration(key, Toleration.Operator.EXISTS, value, taintEffect));
            case "Lt", "Gt" -> Optional.empty();
            default ->
                throw new MalformedObjectException(
                        "operator (%s) of a toleration must be Equal or Exists".formatted(ForeignText.quote(operator)));
        };
    }

    public static Taint.TaintEffect parseEffect(String word) {
        return switch (word) {
            case "NoSchedule" -> Taint.TaintEffect.NO_SCHEDULE;
            case "PreferNoSchedule" -> Taint.TaintEffect.PREFER_NO_SCHEDULE;
            case "NoExecute" -> Taint.TaintEffect.NO_EXECUTE;
            default ->
                throw new MalformedObjectException("effect (%s) must be NoSchedule, PreferNoSchedule or NoExecute"
                        .formatted(ForeignText.quote(word)));
        };
    }
}
