package dev.berth.kubernetes.door.godel;

import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.TaintReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes and reads the tolerations of pods, without tolerationSeconds. */
final class TolerationCodec {
    private TolerationCodec() {}

    static List<Map<String, Object>> encode(List<Toleration> tolerations) {
        return tolerations.stream().map(TolerationCodec::encode).toList();
    }

    private static Map<String, Object> encode(Toleration toleration) {
        Map<String, Object> fields = new LinkedHashMap<>();
        boolean equal = toleration.operator() == Toleration.Operator.EQUAL;
        fields.put("operator", equal ? "Equal" : "Exists");
        if (!toleration.key().isEmpty()) {
            fields.put("key", toleration.key());
        }
        if (equal || !toleration.value().isEmpty()) {
            fields.put("value", toleration.value());
        }
        toleration.effect().ifPresent(effect -> fields.put("effect", encodeEffect(effect)));
        return fields;
    }

    private static String encodeEffect(Taint.TaintEffect effect) {
        return switch (effect) {
            case NO_SCHEDULE -> "NoSchedule";
            case PREFER_NO_SCHEDULE -> "PreferNoSchedule";
            case NO_EXECUTE -> "NoExecute";
        };
    }

    /** Reads the field {@code tolerations}. */
    static List<Toleration> decodeAll(JsonObject object) {
        return object.objects("tolerations").stream()
                .map(TolerationCodec::decode)
                .toList();
    }

    private static Toleration decode(JsonObject fields) {
        boolean exists = fields.text("operator").equals("Exists");
        String effect = fields.text("effect");
        return new Toleration(
                fields.text("key"),
                exists ? Toleration.Operator.EXISTS : Toleration.Operator.EQUAL,
                fields.text("value"),
                effect.isEmpty() ? Optional.empty() : Optional.of(TaintReader.parseEffect(effect)));
    }
}
