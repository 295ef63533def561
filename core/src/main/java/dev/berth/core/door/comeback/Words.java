package dev.berth.core.door.comeback;

import dev.berth.core.hold.Records;

/** The annotations by which people and this door speak to each other. */
public final class Words {
    /** On a pod or a Deployment: {@code "true"} asks that the place be kept when the pod is deleted. */
    public static final String RESERVATION = "godel.bytedance.com/reservation";
    /** The same in older words, on pods alone. */
    public static final String RESERVATION_BEFORE = "pod.tce.kubernetes.io/reservation";
    /** On a pod or a Deployment: for how many seconds. */
    public static final String TTL = "godel.bytedance.com/reservation-ttl";
    /** On a pod that came back: whose place it took. */
    public static final String MATCHED = Records.GODEL;

    /** On a reservation: the UID of the pod that left. */
    public static final String PLACEHOLDER_UID = "godel.bytedance.com/placeholder-uid";

    public static final String ORIGINAL_POD = "godel.bytedance.com/reservation-original-pod";
    public static final String OWNER_TYPE = "godel.bytedance.com/reservation-owner-type";
    public static final String OWNER = "godel.bytedance.com/reservation-owner";
    /** On a reservation: the UID of the StatefulSet whose pod left. */
    public static final String OWNER_UID = "berth.dev/owner-uid";
    /** On a reservation: the node's UID, for a node that comes anew under an old name is another. */
    public static final String NODE_UID = "berth.dev/node-uid";

    /** On a reservation: the hold of the same node that its room is part of; the template then describes the successor. */
    public static final String DRAWS_ON = "berth.dev/draws-on";

    /** On a reservation: the place that the pod which left had taken itself. */
    public static final String TOOK = "berth.dev/took";

    private Words() {}
}
