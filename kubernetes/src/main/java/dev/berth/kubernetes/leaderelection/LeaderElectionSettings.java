package dev.berth.kubernetes.leaderelection;

import java.time.Duration;

/**
 * The identity and the times of the election, with the defaults of kube-scheduler.
 *
 * @param identity identifies this process; must be unique
 * @param leaseDuration how long a renewal is valid: other candidates wait so long before they take over
 * @param renewDeadline a leader that could not renew for so long stops leading
 * @param retryPeriod how often the Lease is renewed or read
 * @param grace how long a new leader waits if its predecessor did not release the Lease, so that the predecessor's last
 * writes have timed out
 */
public record LeaderElectionSettings(
        String namespace,
        String name,
        String identity,
        Duration leaseDuration,
        Duration renewDeadline,
        Duration retryPeriod,
        Duration grace) {

    public LeaderElectionSettings {
        if (namespace.isBlank() || name.isBlank() || identity.isBlank()) {
            throw new IllegalArgumentException(
                    "lease (%s/%s) and identity (%s) must not be blank".formatted(namespace, name, identity));
        }
        if (retryPeriod.toMillis() <= 0 || grace.isNegative()) {
            throw new IllegalArgumentException(
                    "retryPeriod (%s) must be positive and grace (%s) not negative".formatted(retryPeriod, grace));
        }
        if (leaseDuration.toMillis() % 1000 != 0) {
            throw new IllegalArgumentException("leaseDuration (%s) must be whole seconds".formatted(leaseDuration));
        }
        if (leaseDuration.toSeconds() < 1
                || leaseDuration.compareTo(renewDeadline) <= 0
                || renewDeadline.compareTo(retryPeriod) <= 0) {
            throw new IllegalArgumentException(
                    "leaseDuration (%s) must be longer than renewDeadline (%s), and that longer than retryPeriod (%s)"
                            .formatted(leaseDuration, renewDeadline, retryPeriod));
        }
    }

    public static LeaderElectionSettings of(String namespace, String name, String identity, Duration writeTimeout) {
        return new LeaderElectionSettings(
                namespace,
                name,
                identity,
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                writeTimeout);
    }
}
