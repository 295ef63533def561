package dev.berth.core.effect;

import dev.berth.core.cluster.NodeUid;

/**
 * What an event is about.
 *
 * @param namespace empty for an object of the whole cluster
 * @param reportingController who says it: for a pod its scheduler's name
 */
public record EventTarget(
        String apiVersion, String kind, String namespace, String name, String uid, String reportingController) {
    /** The reporter where no scheduler's name is the right one. */
    public static final String BERTH = "berth";

    public static EventTarget of(Effect.PodRef pod) {
        return new EventTarget(
                "v1", "Pod", pod.namespace(), pod.name(), pod.uid().value(), pod.schedulerName());
    }

    /** A node, of which Berth itself speaks. */
    public static EventTarget ofNode(NodeUid uid, String name) {
        return new EventTarget("v1", "Node", "", name, uid.value(), BERTH);
    }

    public boolean isPod() {
        return kind.equals("Pod");
    }

    @Override
    public String toString() {
        return "%s %s".formatted(kind, namespace.isEmpty() ? name : namespace + "/" + name);
    }
}
