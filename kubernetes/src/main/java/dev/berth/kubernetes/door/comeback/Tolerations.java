package dev.berth.kubernetes.door.comeback;

import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.projection.Taints;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tolerations as pods have them, without the time for which they count. */
final class Tolerations {
    private Tolerations() {}

    static List<Map<String, Object>> words(List<Toleration> tolerations) {
        return tolerations.stream().map(Tolerations::words).toList();
    }

    private static Map<String, Object> words(Toleration toleration) {
        Map<String, Object> words = new LinkedHashMap<>();
        boolean equal = toleration.operator() == Toleration.Operator.EQUAL;
        words.put("operator", equal ? "Equal" : "Exists");
        if (!toleration.key().isEmpty()) {
            words.put("key", toleration.key());
        }
        if (equal || !toleration.value().isEmpty()) {
            words.put("value", toleration.value());
        }
        toleration.effect().ifPresent(effect -> words.put("effect", word(effect)));
        return words;
    }

    private static String word(Taint.Effect effect) {
        return switch (effect) {
            case NO_SCHEDULE -> "NoSchedule";
            case PREFER_NO_SCHEDULE -> "PreferNoSchedule";
            case NO_EXECUTE -> "NoExecute";
        };
    }

    /** Those of an object that has them in the field {@code tolerations}. */
    static List<Toleration> read(Tree object) {
        return object.trees("tolerations").stream().map(Tolerations::toleration).toList();
    }

    private static Toleration toleration(Tree words) {
        boolean exists = words.text("operator").equals("Exists");
        String effect = words.text("effect");
        return new Toleration(
                words.text("key"),
                exists ? Toleration.Operator.EXISTS : Toleration.Operator.EQUAL,
                words.text("value"),
                effect.isEmpty() ? Optional.empty() : Optional.of(Taints.effect(effect)));
    }
}
