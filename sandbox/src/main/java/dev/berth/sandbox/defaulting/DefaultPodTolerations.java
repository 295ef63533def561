package dev.berth.sandbox.defaulting;

import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The tolerations that the admission plugin DefaultTolerationSeconds adds to every pod. It runs after defaulting and
 * before the webhooks.
 */
public final class DefaultPodTolerations {
    private static final int FIVE_MINUTES = 300;

    private DefaultPodTolerations() {}

    /**
     * Adds NoExecute tolerations of five minutes for the not-ready and unreachable taints, unless the pod already
     * tolerates them. Applies to creates and updates.
     */
    public static void addMissing(ObjectNode pod) {
        ObjectNode spec = getOrCreateObject(pod, "spec");
        addToleration(spec, "node.kubernetes.io/not-ready");
        addToleration(spec, "node.kubernetes.io/unreachable");
    }

    private static void addToleration(ObjectNode spec, String taint) {
        for (ObjectNode toleration : objects(spec, "tolerations")) {
            String key = text(toleration, "key");
            String effect = text(toleration, "effect");
            if ((key.isEmpty() || key.equals(taint)) && (effect.isEmpty() || effect.equals("NoExecute"))) {
                return;
            }
        }
        ArrayNode all = spec.get("tolerations") instanceof ArrayNode found ? found : spec.putArray("tolerations");
        ObjectNode added = all.addObject().put("key", taint).put("operator", "Exists");
        added.put("effect", "NoExecute").put("tolerationSeconds", FIVE_MINUTES);
    }
}
