package dev.berth.app.config;

import dev.berth.core.queue.BackOff;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * All that can be set.
 *
 * @param schedulerNames the names in {@code spec.schedulerName} of the pods that Berth places
 * @param podBackOff how long a pod waits after it was refused
 * @param bindsInFlight how many binds may be on their way at once
 */
public record Config(
        Set<String> schedulerNames,
        LeaderElection leaderElection,
        BackOff podBackOff,
        int bindsInFlight,
        DoorSettings doors) {
    public static final Config DEFAULT =
            new Config(Set.of("berth-scheduler"), LeaderElection.DEFAULT, BackOff.DEFAULT, 256, DoorSettings.DEFAULT);

    public Config {
        if (schedulerNames.isEmpty()) {
            throw new IllegalArgumentException("schedulerNames is empty: name at least one, such as berth-scheduler");
        }
        if (bindsInFlight < 1 || bindsInFlight > 10_000) {
            throw new IllegalArgumentException("bindsInFlight (%d) must be from 1 to 10000".formatted(bindsInFlight));
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
                doors);
    }

    public Config withSchedulerNames(Set<String> names) {
        return new Config(names, leaderElection, podBackOff, bindsInFlight, doors);
    }

    public Config withDoors(DoorSettings settings) {
        return new Config(schedulerNames, leaderElection, podBackOff, bindsInFlight, settings);
    }
}
