package dev.berth.kubernetes.election;

/**
 * One of the Berths of a cluster.
 *
 * @param lease the name of its Lease
 * @param slot the number of its Lease: of two members that contradict each other the one with the lower slot stays
 * @param identity which process it is; empty for one that ended, and whose names are served a little longer
 * @param content what it is configured for, in its own words
 */
public record Member(String lease, int slot, String identity, String content) {
    public boolean ended() {
        return identity.isEmpty();
    }

    @Override
    public String toString() {
        return ended() ? lease : "%s (lease %s)".formatted(identity, lease);
    }
}
