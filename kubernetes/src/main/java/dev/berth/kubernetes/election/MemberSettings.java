package dev.berth.kubernetes.election;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How a Berth takes part in the set of members.
 *
 * @param ledger the name of the Lease that the members elect their leader by; their own Leases are called after it
 * @param identity which process this is; no two may have the same
 * @param lasts for how long a member counts after its last renewal. It is long enough for a restart: the names of a
 *     Berth that crashed and is replaced stay served
 * @param renewPeriod how often a member renews its Lease
 * @param lookPeriod how often a leader, or a Berth that wants to join, lists the members
 */
public record MemberSettings(
        String namespace, String ledger, String identity, Duration lasts, Duration renewPeriod, Duration lookPeriod) {
    private static final int SLOTS = 16;

    public MemberSettings {
        if (lasts.toSeconds() < 1 || lasts.toMillis() % 1000 != 0) {
            throw new IllegalArgumentException("lasts (%s) must be whole seconds, such as 60s".formatted(lasts));
        }
        if (lasts.compareTo(renewPeriod.multipliedBy(2)) < 0 || renewPeriod.compareTo(lookPeriod) < 0) {
            throw new IllegalArgumentException(
                    "lasts (%s) must be at least twice renewPeriod (%s), and that at least lookPeriod (%s)"
                            .formatted(lasts, renewPeriod, lookPeriod));
        }
    }

    /** The names of the members' Leases. They are fixed, so that a Role can name the Leases that a Berth may write. */
    List<String> slots() {
        return IntStream.range(0, SLOTS)
                .mapToObj(slot -> "%s-member-%d".formatted(ledger, slot))
                .toList();
    }

    public static MemberSettings of(String namespace, String ledger, String identity, Duration lookPeriod) {
        Duration renewPeriod = lookPeriod.multipliedBy(5);
        Duration lasts =
                Duration.ofSeconds(Math.max(1, renewPeriod.multipliedBy(6).toSeconds()));
        return new MemberSettings(namespace, ledger, identity, lasts, renewPeriod, lookPeriod);
    }
}
