package dev.berth.core.hold;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import java.util.Optional;

/**
 * The key that a pod and its successor have in common. It is computed from the pod alone, so a successor finds its hold
 * independent of other objects.
 */
public record ReturnKey(String namespace, String key) {
    private static final String NAME_LABEL = "name";
    private static final String TEMPLATE_HASH_LABEL = "pod-template-hash";

    public ReturnKey {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("a key of namespace (%s) is empty".formatted(namespace));
        }
    }

    /**
     * The first of these that the pod has: the key that its author gave to it, the name of the StatefulSetExtension that controls it,
     * its label {@code name}, its own name if a StatefulSet controls it (a replaced pod has the same name), the name of
     * its Deployment. Pods with none of these have no key.
     */
    public static Optional<ReturnKey> of(Pod pod) {
        return pod.returnKey()
                .filter(key -> !key.isEmpty())
                .or(() -> findController(pod, "StatefulSetExtension").map(ControllerRef::name))
                .or(() -> findNonEmpty(pod.labels(), NAME_LABEL))
                .or(() -> statefulSetOf(pod).map(owner -> pod.name()))
                .or(() -> deploymentOf(pod))
                .map(key -> new ReturnKey(pod.namespace(), key));
    }

    /**
     * The name of the Deployment whose ReplicaSet controls the pod. A ReplicaSet's name is the name of its Deployment
     * and the hash of the template. The pods have the same hash as a label.
     */
    public static Optional<String> deploymentOf(Pod pod) {
        Optional<String> suffix =
                findNonEmpty(pod.labels(), TEMPLATE_HASH_LABEL).map(hash -> "-" + hash);
        return findController(pod, "ReplicaSet")
                .map(ControllerRef::name)
                .filter(name -> suffix.isPresent()
                        && name.endsWith(suffix.get())
                        && name.length() > suffix.get().length())
                .map(name -> name.substring(0, name.length() - suffix.orElse("").length()));
    }

    /** The name of the StatefulSet that controls the pod. */
    public static Optional<String> statefulSetOf(Pod pod) {
        return findController(pod, "StatefulSet").map(ControllerRef::name);
    }

    private static Optional<ControllerRef> findController(Pod pod, String kind) {
        return pod.controller()
                .filter(owner -> owner.kind().equals(kind) && !owner.name().isEmpty());
    }

    private static Optional<String> findNonEmpty(Labels values, String key) {
        return values.get(key).filter(value -> !value.isEmpty());
    }

    @Override
    public String toString() {
        return namespace + "/" + key;
    }
}
