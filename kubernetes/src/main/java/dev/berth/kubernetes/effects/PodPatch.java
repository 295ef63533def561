package dev.berth.kubernetes.effects;

import dev.berth.core.effect.Effect.PodRef;
import dev.berth.kubernetes.json.JsonObject;

/** Requests that plugins send for pods. The UID of the pod is a precondition. */
public final class PodPatch {
    private PodPatch() {}

    public static JsonObject uidPrecondition(PodRef pod) {
        return JsonObject.EMPTY.with(pod.uid().value(), "metadata", "uid");
    }

    public static WriteRequest ofStatus(PodRef pod, JsonObject patch) {
        return WriteRequest.strategicMergePatch(path(pod) + "/status", patch);
    }

    public static String path(PodRef pod) {
        return "/api/v1/namespaces/%s/pods/%s".formatted(pod.namespace(), pod.name());
    }
}
