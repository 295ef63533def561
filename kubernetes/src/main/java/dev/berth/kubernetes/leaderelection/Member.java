package dev.berth.kubernetes.leaderelection;

/**
 * One of the Berths of a cluster.
 *
 * @param lease the name of its Lease
 * @param slot the number of its Lease: of two members with conflicting configurations the one with the lower slot stays
 * @param identity identifies the process
 * @param configuration its configuration in Berth's format
 * @param alive whether it was observed to renew its Lease since this Berth last became the leader. A member that is not
 * known to be alive is served, but gets no precedence in the election
 */
public record Member(String lease, int slot, String identity, String configuration, boolean alive) {
    @Override
    public String toString() {
        return "%s (lease %s)".formatted(identity, lease);
    }
}
