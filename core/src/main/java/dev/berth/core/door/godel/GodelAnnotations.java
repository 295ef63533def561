package dev.berth.core.door.godel;

import dev.berth.core.cluster.Labels;
import dev.berth.core.door.RecordAnnotations;
import java.util.Optional;

/** The annotations of pods, Deployments, StatefulSets and Reservations that this door reads and writes. */
public final class GodelAnnotations {
    /** On a pod, a Deployment or a StatefulSet: {@code "true"} requests a Reservation when the pod is deleted. */
    public static final String RESERVATION = "godel.bytedance.com/reservation";
    /** The older name of {@link #RESERVATION}, on pods only. */
    public static final String LEGACY_RESERVATION = "pod.tce.kubernetes.io/reservation";
    /** On a pod, a Deployment or a StatefulSet: the TTL of the Reservation in seconds. */
    public static final String TTL = "godel.bytedance.com/reservation-ttl";
    /** On a pod or a Reservation: the key that the original pod and its successor have in common. */
    public static final String INDEX = "godel.bytedance.com/reservation-index";
    /** On a successor: the Reservation that it claimed. */
    public static final String MATCHED_PLACEHOLDER = RecordAnnotations.GODEL_MATCHED_PLACEHOLDER;

    /** On a Reservation: the UID of the original pod. */
    public static final String PLACEHOLDER_UID = "godel.bytedance.com/placeholder-uid";

    public static final String ORIGINAL_POD = "godel.bytedance.com/reservation-original-pod";
    public static final String OWNER_TYPE = "godel.bytedance.com/reservation-owner-type";
    public static final String OWNER = "godel.bytedance.com/reservation-owner";
    /** On a Reservation: the UID of the StatefulSet of the original pod. */
    public static final String OWNER_UID = "berth.dev/owner-uid";
    /** On a Reservation: the UID of the node. A node that was replaced under its name has another UID. */
    public static final String NODE_UID = "berth.dev/node-uid";

    /** On a Reservation: the hold that the return hold draws on. The template then describes the successor. */
    public static final String DRAWS_ON = "berth.dev/draws-on";

    /** On a Reservation: the hold that the original pod had claimed itself. */
    public static final String CLAIMED_HOLD = "berth.dev/previous-hold";

    private GodelAnnotations() {}

    /** The {@linkplain dev.berth.core.cluster.Pod#returnKey() return key} of a pod with these annotations. */
    public static Optional<String> returnKeyIn(Labels annotations) {
        return annotations.get(INDEX);
    }
}
