package dev.berth.core.cluster;

/** What a node has against pods that do not tolerate it. */
public record Taint(String key, String value, Effect effect) {
    /** What happens to a pod that does not tolerate the taint. */
    public enum Effect {
        NO_SCHEDULE,
        PREFER_NO_SCHEDULE,
        NO_EXECUTE
    }

    /** As kubectl prints it. */
    @Override
    public String toString() {
        String word = switch (effect) {
            case NO_SCHEDULE -> "NoSchedule";
            case PREFER_NO_SCHEDULE -> "PreferNoSchedule";
            case NO_EXECUTE -> "NoExecute";
        };
        return "%s%s:%s".formatted(key, value.isEmpty() ? "" : "=" + value, word);
    }
}
