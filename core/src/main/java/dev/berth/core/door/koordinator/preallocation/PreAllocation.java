package dev.berth.core.door.koordinator.preallocation;

/**
 * How a reservation takes over running pods: {@code spec.preAllocation} and {@code spec.preAllocationPolicy}.
 *
 * @param multiple whether it may take over more than one pod
 * @param required whether it is placed only together with at least one pod
 */
public record PreAllocation(Mode mode, boolean multiple, boolean required) {
    /** The label of a reservation or its template with the value {@code true}: see {@link #required}. */
    public static final String REQUIRED_LABEL = "scheduling.koordinator.sh/pre-allocation-required";

    /** Which pods are candidates. */
    public enum Mode {
        /** The pods that the owners of the reservation match. */
        DEFAULT,
        /** The pods with a label that the cluster's administrator chose, whatever the owners are. */
        CLUSTER
    }
}
