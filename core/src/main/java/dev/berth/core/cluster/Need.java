package dev.berth.core.cluster;

/**
 * What a pod asks for that Berth does not decide on yet. Such a pod is refused with these words rather than placed by
 * ignoring what it asked for.
 */
public enum Need {
    /** Of a pod that is not there yet, such as a reservation's: whose claims would be meant is open. */
    VOLUMES("volumes by persistent volume claim (spec.volumes)"),
    RESOURCE_CLAIMS("dynamic resource allocation (spec.resourceClaims)"),
    /** What a pod group was in Kubernetes 1.35. */
    WORKLOAD("a workload's pod group (spec.workloadRef)"),
    POD_GROUP("a pod group (spec.schedulingGroup)"),
    RESERVATION_AFFINITY(
            "a place in a certain reservation (annotation scheduling.koordinator.sh/reservation-affinity)"),
    EXACT_RESERVATION(
            "a reservation of exactly its size (annotation scheduling.koordinator.sh/exact-match-reservation)"),
    RESERVED_ROOM("room that is kept for others (label scheduling.koordinator.sh/reservation-ignored)"),
    BEING_A_RESERVATION("being a reservation itself (label scheduling.koordinator.sh/operating-mode)");

    private final String words;

    Need(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
