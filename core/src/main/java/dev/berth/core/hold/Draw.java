package dev.berth.core.hold;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import java.util.Optional;

/**
 * A hold takes some of its resources from another hold of the same node, the source: a nomination or a return hold
 * inside a reservation. The resources are then held once, and the other owners of the source cannot use them.
 *
 * @param source the hold that is drawn on; it gives nothing while it does not admit the owner
 * @param owner the pod that the drawing hold is for, or a stand-in for a successor that does not exist yet. It has only
 * what owner rules and taints are matched against, so that equal facts give equal holds
 */
public record Draw(HoldId source, Pod owner) {
    private static final PodUid SUCCESSOR = new PodUid("successor");

    public Draw {
        owner = Pod.builder(owner.uid(), owner.namespace(), owner.name())
                .labels(owner.labels())
                .returnKey(owner.returnKey())
                .controller(owner.controller())
                .otherOwners(owner.otherOwners())
                .spec(PodSpec.builder().tolerations(owner.spec().tolerations()).build())
                .build();
    }

    /** A draw for the successor of this pod, which has another UID, and another name unless names are stable. */
    public static Draw forSuccessorOf(Pod pod, HoldId on) {
        return new Draw(
                on,
                Pod.builder(SUCCESSOR, pod.namespace(), hasStableName(pod) ? pod.name() : "")
                        .labels(pod.labels())
                        .returnKey(ReturnKey.of(pod).map(ReturnKey::key))
                        .controller(pod.controller())
                        .otherOwners(pod.otherOwners())
                        .spec(pod.spec())
                        .build());
    }

    /** A replaced pod of a StatefulSet has the same name, and so has a pod that a user creates again. */
    private static boolean hasStableName(Pod pod) {
        Optional<String> kind = pod.controller().map(ControllerRef::kind);
        return kind.isEmpty() || kind.get().startsWith("StatefulSet");
    }
}
