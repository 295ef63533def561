package dev.berth.kubernetes.leaderelection;

/**
 * One of the Berths of a cluster.
 *
 * @param lease the name of its Lease
 * @param slot the number of its Lease: of two members that contradict each other the one with the lower slot stays
 * @param identity which process it is
 * @param configuration what it is configured for, in its own words
 * @param alive whether it renewed its Lease while this Berth looked, and since this Berth last took the lead. One that
 *     is not known to be alive is served, but not given the lead
 */
public record Member(String lease, int slot, String identity, String configuration, boolean alive) {
    @Override
    public String toString() {
        return "%s (lease %s)".formatted(identity, lease);
    }
}
