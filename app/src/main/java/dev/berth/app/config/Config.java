package dev.berth.app.config;

import dev.berth.core.queue.BackOff;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * All that can be set.
 *
 * @param schedulerNames the names in {@code spec.schedulerName} of the pods that Berth places
 * @param podBackOff how long a pod waits after it was refused
 * @param bindsInFlight how many binds may be on their way at once
 * @param returnTtl how long the place of a deleted pod is kept where neither the pod nor its Deployment says
 */
public record Config(
        Set<String> schedulerNames,
        LeaderElection leaderElection,
        BackOff podBackOff,
        int bindsInFlight,
        Duration returnTtl,
        ReserveApiSettings reserveApi,
        ExtenderSettings extender) {
    private static final Duration LONGEST_TTL = Duration.ofDays(36_500);

    public static final Config DEFAULT = new Config(
            Set.of("berth-scheduler"),
            LeaderElection.DEFAULT,
            BackOff.DEFAULT,
            256,
            Duration.ofSeconds(60),
            ReserveApiSettings.DEFAULT,
            ExtenderSettings.DEFAULT);

    public Config {
        if (schedulerNames.isEmpty()) {
            throw new IllegalArgumentException("schedulerNames is empty: name at least one, such as berth-scheduler");
        }
        if (bindsInFlight < 1 || bindsInFlight > 10_000) {
            throw new IllegalArgumentException("bindsInFlight (%d) must be from 1 to 10000".formatted(bindsInFlight));
        }
        if (returnTtl.toSeconds() < 1 || returnTtl.toNanosPart() != 0 || returnTtl.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException(
                    "return.ttl (%dms) must be whole seconds, from 1s to 876000h".formatted(returnTtl.toMillis()));
        }
        schedulerNames = Collections.unmodifiableSet(new TreeSet<>(schedulerNames));
    }

    /** The same for a process that is the only one by construction. */
    public Config alone() {
        LeaderElection election = leaderElection;
        return new Config(
                schedulerNames,
                new LeaderElection(
                        false,
                        election.namespace(),
                        election.name(),
                        election.leaseDuration(),
                        election.renewDeadline(),
                        election.retryPeriod()),
                podBackOff,
                bindsInFlight,
                returnTtl,
                reserveApi,
                extender);
    }

    public Config withSchedulerNames(Set<String> names) {
        return new Config(names, leaderElection, podBackOff, bindsInFlight, returnTtl, reserveApi, extender);
    }

    public Config withReserveApi(ReserveApiSettings settings) {
        return new Config(schedulerNames, leaderElection, podBackOff, bindsInFlight, returnTtl, settings, extender);
    }

    public Config withExtender(ExtenderSettings settings) {
        return new Config(schedulerNames, leaderElection, podBackOff, bindsInFlight, returnTtl, reserveApi, settings);
    }
}
