package dev.berth.core.nomination;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.hold.Origin;

/**
 * Sets the pod's {@code status.nominatedNodeName}.
 *
 * @param node empty to clear the field
 */
public record SetNominatedNode(PodRef pod, String node) implements Effect.Write {
    @Override
    public Origin.PluginId component() {
        return Origin.PluginId.NOMINATED_NODES;
    }

    @Override
    public String key() {
        return "nomination of pod %s".formatted(pod.uid());
    }

    @Override
    public String object() {
        return "nomination of pod %s".formatted(pod);
    }
}
