package dev.berth.core.hold;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import java.util.Optional;

/**
 * What a pod and the one that comes back in its stead have in common. It is worked out from the pod alone, so that a
 * pod finds the place that is kept for it whatever else has been heard of by then.
 */
public record ReturnKey(String namespace, String key) {
    /** The annotation by which people say the key themselves. */
    public static final String INDEX_ANNOTATION = "godel.bytedance.com/reservation-index";

    private static final String NAME_LABEL = "name";
    private static final String TEMPLATE_HASH_LABEL = "pod-template-hash";

    public ReturnKey {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("a key of namespace (%s) is empty".formatted(namespace));
        }
    }

    /**
     * The index that the pod is annotated with; else the name of the StatefulSetExtension that controls it; else its
     * label {@code name}; else, for a pod of a StatefulSet, its own name, which the one that replaces it will have too;
     * else the name of its Deployment. Other pods have nothing by which they could be known again.
     */
    public static Optional<ReturnKey> of(Pod pod) {
        return findNonEmpty(pod.annotations(), INDEX_ANNOTATION)
                .or(() -> findController(pod, "StatefulSetExtension").map(ControllerRef::name))
                .or(() -> findNonEmpty(pod.labels(), NAME_LABEL))
                .or(() -> statefulSetOf(pod).map(owner -> pod.name()))
                .or(() -> deploymentOf(pod))
                .map(key -> new ReturnKey(pod.namespace(), key));
    }

    /**
     * The name of the Deployment whose ReplicaSet controls the pod. A Deployment names its ReplicaSets after itself and
     * the hash of their template, with which it labels the pods too.
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

    private static Optional<String> findNonEmpty(Labels words, String key) {
        return words.get(key).filter(value -> !value.isEmpty());
    }

    @Override
    public String toString() {
        return namespace + "/" + key;
    }
}
