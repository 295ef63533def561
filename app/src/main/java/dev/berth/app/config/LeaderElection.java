package dev.berth.app.config;

import java.time.Duration;

/** How replicas agree on the one that decides. */
public record LeaderElection(
        boolean enabled,
        String namespace,
        String name,
        Duration leaseDuration,
        Duration renewDeadline,
        Duration retryPeriod) {
    public static final LeaderElection DEFAULT = new LeaderElection(
            true, "kube-system", "berth", Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    public LeaderElection {
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw new IllegalArgumentException(
                    "leaderElection.leaseDuration (%s) must be longer than renewDeadline (%s)"
                            .formatted(seconds(leaseDuration), seconds(renewDeadline)));
        }
        if (renewDeadline.compareTo(retryPeriod) <= 0) {
            throw new IllegalArgumentException("leaderElection.renewDeadline (%s) must be longer than retryPeriod (%s)"
                    .formatted(seconds(renewDeadline), seconds(retryPeriod)));
        }
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
