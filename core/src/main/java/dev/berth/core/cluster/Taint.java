package dev.berth.core.cluster;

/** A taint of a node: it applies to pods that do not tolerate it. */
public record Taint(String key, String value, TaintEffect effect) {
    /** The taint of a cordoned node: {@code spec.unschedulable} counts as this taint. */
    public static final Taint UNSCHEDULABLE =
            new Taint("node.kubernetes.io/unschedulable", "", TaintEffect.NO_SCHEDULE);

    /** The taints of a node whose condition Ready is False or Unknown. */
    public static final Taint NOT_READY = new Taint("node.kubernetes.io/not-ready", "", TaintEffect.NO_EXECUTE);

    public static final Taint UNREACHABLE = new Taint("node.kubernetes.io/unreachable", "", TaintEffect.NO_EXECUTE);

    /** What happens to a pod that does not tolerate the taint. */
    public enum TaintEffect {
        NO_SCHEDULE,
        PREFER_NO_SCHEDULE,
        NO_EXECUTE
    }

    /** As kubectl prints it. */
    @Override
    public String toString() {
        String effectName = switch (effect) {
            case NO_SCHEDULE -> "NoSchedule";
            case PREFER_NO_SCHEDULE -> "PreferNoSchedule";
            case NO_EXECUTE -> "NoExecute";
        };
        return "%s%s:%s".formatted(key, value.isEmpty() ? "" : "=" + value, effectName);
    }
}
