package dev.berth.app.config;

import dev.berth.engine.EngineSettings;
import java.time.Duration;
import java.util.Optional;

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

    private static final String OF_KUBE_SCHEDULER = "kube-scheduler";

    public LeaderElection {
        if (namespace.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException(
                    "leaderElection.namespace (%s) and name (%s) must not be empty".formatted(namespace, name));
        }
        if (retryPeriod.isZero()) {
            throw new IllegalArgumentException("leaderElection.retryPeriod (0s) must be longer, such as 2s");
        }
        if (leaseDuration.toMillis() % 1000 != 0) {
            throw new IllegalArgumentException(
                    "leaderElection.leaseDuration (%s) must be whole seconds: a Lease has no others"
                            .formatted(seconds(leaseDuration)));
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
        Duration least = retryPeriod.plus(EngineSettings.DEFAULT.writeTimeout());
        if (leaseDuration.compareTo(least) <= 0) {
            throw new IllegalArgumentException(
                    "leaderElection.leaseDuration (%s) must be longer than %s: a leader writes only what surely ends in its time"
                            .formatted(seconds(leaseDuration), seconds(least)));
        }
    }

    /** What may go wrong with settings that are right in themselves. */
    Optional<String> warning() {
        if (!enabled || !name.equals(OF_KUBE_SCHEDULER)) {
            return Optional.empty();
        }
        return Optional.of(
                ("the Lease (%s/%s) is the one that kube-scheduler leads by: where one runs, either it or Berth"
                                + " waits and places no pods. Name another, such as berth")
                        .formatted(namespace, name));
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
