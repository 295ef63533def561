package dev.berth.core.cluster;

/** A feature of a pod that Berth does not support yet. A pod that uses it stays unschedulable, with this description. */
public enum UnsupportedFeature {
    RESOURCE_CLAIMS("dynamic resource allocation (spec.resourceClaims)"),
    /** The pod group of Kubernetes 1.35. */
    WORKLOAD_REF("a workload's pod group (spec.workloadRef)"),
    SCHEDULING_GROUP("a pod group (spec.schedulingGroup)"),
    RESERVATION_OPERATING_MODE("operation as a reservation (label scheduling.koordinator.sh/operating-mode)");

    private final String description;

    UnsupportedFeature(String description) {
        this.description = description;
    }

    public String description() {
        return description;
    }
}
