package dev.berth.kubernetes.leaderelection;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The settings of the membership.
 *
 * @param leaderLeaseName the name of the leader Lease; the names of the members' Leases begin with it
 * @param identity identifies this process; must be unique
 * @param leaseDuration how long a member is active after its last renewal. It is long enough for a restart: the
 * scheduler names of a crashed Berth that is replaced stay served
 * @param renewPeriod how often a member renews its Lease
 * @param listPeriod how often a leader, or a Berth that wants to join, lists the members
 */
public record MemberRegistrySettings(
        String namespace,
        String leaderLeaseName,
        String identity,
        Duration leaseDuration,
        Duration renewPeriod,
        Duration listPeriod) {
    private static final int SLOTS = 16;

    public MemberRegistrySettings {
        if (leaseDuration.toSeconds() < 1 || leaseDuration.toMillis() % 1000 != 0) {
            throw new IllegalArgumentException(
                    "leaseDuration (%s) must be whole seconds, such as 60s".formatted(leaseDuration));
        }
        if (leaseDuration.compareTo(renewPeriod.multipliedBy(2)) < 0 || renewPeriod.compareTo(listPeriod) < 0) {
            throw new IllegalArgumentException(
                    "leaseDuration (%s) must be at least twice renewPeriod (%s), and that at least listPeriod (%s)"
                            .formatted(leaseDuration, renewPeriod, listPeriod));
        }
    }

    /** The names of the members' Leases. They are fixed, so that a Role can name the Leases that a Berth may write. */
    List<String> leaseNames() {
        return IntStream.range(0, SLOTS)
                .mapToObj(slot -> "%s-member-%d".formatted(leaderLeaseName, slot))
                .toList();
    }

    public static MemberRegistrySettings of(
            String namespace, String leaderLeaseName, String identity, Duration listPeriod) {
        Duration renewPeriod = listPeriod.multipliedBy(5);
        Duration leaseDuration =
                Duration.ofSeconds(Math.max(1, renewPeriod.multipliedBy(6).toSeconds()));
        return new MemberRegistrySettings(namespace, leaderLeaseName, identity, leaseDuration, renewPeriod, listPeriod);
    }
}
