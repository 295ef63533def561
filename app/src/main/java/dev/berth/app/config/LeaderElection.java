package dev.berth.app.config;

import dev.berth.engine.EngineSettings;
import java.time.Duration;

/** The settings of the leader election. */
public record LeaderElection(
        String namespace, String name, Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
    public static final LeaderElection DEFAULT = new LeaderElection(
            "kube-system", "berth", Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    public LeaderElection {
        if (namespace.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException(
                    "leaderElection.resourceNamespace (%s) and resourceName (%s) must not be empty"
                            .formatted(namespace, name));
        }
        if (retryPeriod.isZero()) {
            throw new IllegalArgumentException("leaderElection.retryPeriod (0s) must be positive, such as 2s");
        }
        if (leaseDuration.toMillis() % 1000 != 0) {
            throw new IllegalArgumentException(
                    "leaderElection.leaseDuration (%s) must be whole seconds".formatted(seconds(leaseDuration)));
        }
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw new IllegalArgumentException(
                    "leaderElection.leaseDuration (%s) must be longer than renewDeadline (%s)"
                            .formatted(seconds(leaseDuration), seconds(renewDeadline)));
        }
        if (renewDeadline.compareTo(retryPeriod) <= 0) {
            throw new IllegalArgumentException("leaderElection.renewDeadline (%s) must be longer than retryPeriod (%s)"
                    .formatted(seconds(renewDeadline), seconds(retryPeriod)));
        }
        Duration minimum = retryPeriod.plus(EngineSettings.DEFAULT.writeTimeout());
        if (leaseDuration.compareTo(minimum) <= 0) {
            throw new IllegalArgumentException(
                    "leaderElection.leaseDuration (%s) must be longer than %s: a leader sends only writes that end before its Lease expires"
                            .formatted(seconds(leaseDuration), seconds(minimum)));
        }
    }

    /** The Lease as {@code namespace/name}. */
    String leaseKey() {
        return "%s/%s".formatted(namespace, name);
    }

    /**
     * All Berths of a cluster share one ledger and one Lease: two leaders with different Leases would allocate the same
     * resources twice.
     *
     * @throws IllegalArgumentException if another Lease is configured
     */
    void requireDefaultLease() {
        if (!leaseKey().equals(DEFAULT.leaseKey())) {
            throw new IllegalArgumentException(
                    "leaderElection names the Lease (%s): all replicas of Berth in a cluster share one ledger, and the holder of the Lease %s keeps it. Remove resourceName and resourceNamespace. Replicas with different schedulerNames can run together: the leader serves all names"
                            .formatted(leaseKey(), DEFAULT.leaseKey()));
        }
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
