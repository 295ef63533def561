package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.leaderelection.LeaseStore.LeaseResult;
import dev.berth.kubernetes.time.Clocks.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What this process has observed of the Lease of another scheduler. A Lease that changed is live for its duration from
 * then on, by this process's ticker. When the first read finds a Lease, its age follows from its renewTime: a scheduler
 * that was removed leaves a Lease, and Berth must not wait for it at each start. The renewTime is by the holder's clock, so
 * the Lease counts as younger by a margin.
 */
final class ObservedSchedulerLease {
    /** The maximum difference between the holder's clock and the API server's. */
    static final Duration CLOCK_MARGIN = Duration.ofSeconds(5);

    /** After this time without an answer the last one proves nothing: a scheduler may have taken the Lease since. */
    static final Duration MAX_ANSWER_AGE = Duration.ofSeconds(15);

    /** Why it is not known whether a Lease is live, before the first answer. */
    static final String UNREAD = "it was not read yet";

    /** If the Lease does not say how long it is valid. */
    private static final Duration USUAL_LEASE_DURATION = Duration.ofSeconds(15);

    private Optional<Lease> lease = Optional.empty();
    private String fingerprint = "";
    private Optional<ClockReading> changedAt = Optional.empty();
    private Duration ageWhenChanged = Duration.ZERO;
    private Optional<ClockReading> answeredAt = Optional.empty();
    private String failure = "";

    void onRead(LeaseResult result, ClockReading now, Optional<Instant> serverTime) {
        if (result instanceof LeaseResult.Found found) {
            onFound(found.lease(), now, serverTime);
        } else if (result instanceof LeaseResult.NotFound) {
            lease = Optional.empty();
            fingerprint = "";
        } else {
            failure = result instanceof LeaseResult.Failed failed ? failed.message() : "an unexpected answer";
            return;
        }
        answeredAt = Optional.of(now);
        failure = "";
    }

    private void onFound(Lease found, ClockReading now, Optional<Instant> serverTime) {
        lease = Optional.of(found);
        if (found.fingerprint().equals(fingerprint)) {
            return;
        }
        fingerprint = found.fingerprint();
        changedAt = Optional.of(now);
        ageWhenChanged = answeredAt.isPresent()
                ? Duration.ZERO
                : ageByRenewTime(found, serverTime).minus(CLOCK_MARGIN);
    }

    private static Duration ageByRenewTime(Lease found, Optional<Instant> serverTime) {
        return serverTime
                .flatMap(now -> found.renewTime().map(renewTime -> Duration.between(renewTime, now)))
                .filter(age -> !age.isNegative())
                .orElse(Duration.ZERO);
    }

    /** The scheduler that holds the Lease, if the Lease is live. */
    Optional<String> liveHolder(ClockReading now) {
        return lease.filter(it -> !it.holderIdentity().isEmpty())
                .filter(it -> changedAt
                        .filter(at -> now.elapsedSince(at).plus(ageWhenChanged).compareTo(durationOf(it)) < 0)
                        .isPresent())
                .map(Lease::holderIdentity);
    }

    private static Duration durationOf(Lease lease) {
        return lease.leaseDuration().isZero() || lease.leaseDuration().isNegative()
                ? USUAL_LEASE_DURATION
                : lease.leaseDuration();
    }

    /** Why it is not known whether the Lease is live. */
    Optional<String> unknownReason(ClockReading now) {
        boolean known = answeredAt
                .filter(at -> failure.isEmpty() || now.elapsedSince(at).compareTo(MAX_ANSWER_AGE) < 0)
                .isPresent();
        if (known) {
            return Optional.empty();
        }
        return Optional.of(failure.isEmpty() ? UNREAD : failure);
    }
}
