package dev.berth.core.effect;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;

/**
 * The object of an event.
 *
 * @param namespace empty for a cluster-scoped object
 * @param reportingController the reporter: for a pod its scheduler name
 */
public record EventTarget(
        String apiVersion, String kind, String namespace, String name, String uid, String reportingController) {
    /** The reporter if no scheduler name applies. */
    public static final String BERTH = "berth";

    public static EventTarget of(Effect.PodRef pod) {
        return new EventTarget(
                "v1", "Pod", pod.namespace(), pod.name(), pod.uid().value(), pod.schedulerName());
    }

    /** A pod, with Berth as the reporter. */
    public static EventTarget ofPod(Pod pod) {
        return new EventTarget(
                "v1", "Pod", pod.namespace(), pod.name(), pod.uid().value(), BERTH);
    }

    /** A node, with Berth as the reporter. */
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
