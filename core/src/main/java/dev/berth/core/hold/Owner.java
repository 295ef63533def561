package dev.berth.core.hold;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One entry of a hold's list of owners: it selects pods that may use the hold. All present parts must match: the pod
 * itself, its controller, its labels, its return key. An entry without parts matches no pod. The {@link OwnerRule} of a
 * hold has all its entries, its taints, and whether it is closed.
 */
public record Owner(
        Optional<PodMatch> pod,
        Optional<ControllerMatch> controller,
        Optional<LabelSelector> labels,
        Optional<ReturnKey> returnKey) {

    /** An owner without a return key. */
    public Owner(Optional<PodMatch> pod, Optional<ControllerMatch> controller, Optional<LabelSelector> labels) {
        this(pod, controller, labels, Optional.empty());
    }

    /** Matches the pod with the UID. */
    public static Owner ofPod(PodUid uid) {
        return ofPod(new PodMatch(Optional.of(uid.value()), Optional.empty(), Optional.empty()));
    }

    /** Matches the named pod. */
    public static Owner ofPod(PodMatch pod) {
        return new Owner(Optional.of(pod), Optional.empty(), Optional.empty());
    }

    /** Matches the pods of the controller. */
    public static Owner ofController(ControllerMatch controller) {
        return new Owner(Optional.empty(), Optional.of(controller), Optional.empty());
    }

    /** Matches the pods with the labels. */
    public static Owner ofLabels(LabelSelector selector) {
        return new Owner(Optional.empty(), Optional.empty(), Optional.of(selector));
    }

    /** Matches pods with the return key. */
    public static Owner ofReturnKey(ReturnKey key) {
        return new Owner(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(key));
    }

    /**
     * Names a pod. Empty fields are not compared.
     *
     * @param kind the kind that the user wrote for the named object. It is not compared: a pod is meant with any kind.
     */
    public record PodMatch(
            Optional<String> uid, Optional<String> namespace, Optional<String> name, Optional<String> kind) {
        public PodMatch(Optional<String> uid, Optional<String> namespace, Optional<String> name) {
            this(uid, namespace, name, Optional.empty());
        }

        boolean matches(Pod pod) {
            return agrees(uid, pod.uid().value()) && agrees(namespace, pod.namespace()) && agrees(name, pod.name());
        }
    }

    /**
     * Names an owner of the pod. Empty fields are not compared.
     *
     * @param controls whether the owner must be the controller of the pod; empty for any owner reference
     */
    public record ControllerMatch(
            Optional<String> apiVersion,
            Optional<String> kind,
            Optional<String> namespace,
            Optional<String> name,
            Optional<String> uid,
            Optional<Boolean> controls) {
        /** Any owner reference of a pod may match. */
        public ControllerMatch(
                Optional<String> apiVersion,
                Optional<String> kind,
                Optional<String> namespace,
                Optional<String> name,
                Optional<String> uid) {
            this(apiVersion, kind, namespace, name, uid, Optional.empty());
        }

        /**
         * Names the controller by its UID.
         *
         * @param namespace of the controller's pods; empty for any namespace
         */
        public static ControllerMatch ofUid(String uid, Optional<String> namespace) {
            return new ControllerMatch(
                    Optional.empty(), Optional.empty(), namespace, Optional.empty(), Optional.of(uid));
        }

        boolean matches(Pod pod) {
            Stream<ControllerRef> controller = controls.orElse(true) ? pod.controller().stream() : Stream.empty();
            Stream<ControllerRef> others = controls.orElse(false) ? Stream.empty() : pod.otherOwners().stream();
            return Stream.concat(controller, others).anyMatch(ref -> matches(ref, pod.namespace()));
        }

        /**
         * Whether it names the controller of an object.
         *
         * @param objectNamespace the namespace of the object
         */
        public boolean matches(ControllerRef ref, String objectNamespace) {
            return agrees(apiVersion, ref.apiVersion())
                    && agrees(kind, ref.kind())
                    && agrees(namespace, objectNamespace)
                    && agrees(name, ref.name())
                    && agrees(uid, ref.uid());
        }
    }

    public boolean matches(Pod candidate) {
        boolean hasRule = pod.isPresent() || controller.isPresent() || labels.isPresent() || returnKey.isPresent();
        return hasRule
                && pod.map(match -> match.matches(candidate)).orElse(true)
                && controller.map(match -> match.matches(candidate)).orElse(true)
                && labels.map(selector -> selector.matches(candidate.labels())).orElse(true)
                && (returnKey.isEmpty() || returnKey.equals(ReturnKey.of(candidate)));
    }

    private static boolean agrees(Optional<String> required, String actual) {
        return required.isEmpty() || required.get().equals(actual);
    }
}
