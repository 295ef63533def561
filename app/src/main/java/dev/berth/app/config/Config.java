package dev.berth.app.config;

import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackoffPolicy;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The whole configuration.
 *
 * @param profiles the profiles by scheduler name: Berth schedules the pods with these names
 * @param profileSources the profiles that differ from the default, as the user wrote them in kube-scheduler's form, by
 * scheduler name: other Berths of the cluster read them
 * @param podBackOff the back-off of unschedulable pods
 * @param bindsInFlight the limit of binds in flight
 */
public record Config(
        Profiles profiles,
        Map<String, Object> profileSources,
        LeaderElection leaderElection,
        BackoffPolicy podBackOff,
        int bindsInFlight,
        DoorSettings doors,
        HttpSettings http,
        DiagnosticsSettings diagnostics) {
    static final String DEFAULT_SCHEDULER_NAME = "berth-scheduler";

    public static final Config DEFAULT = new Config(
            Profiles.forSchedulers(Set.of(DEFAULT_SCHEDULER_NAME), Profile.DEFAULT),
            LeaderElection.DEFAULT,
            BackoffPolicy.DEFAULT,
            256,
            DoorSettings.DEFAULT,
            DiagnosticsSettings.DEFAULT);

    /** A configuration without profile sources, with the default HTTP settings. */
    public Config(
            Profiles profiles,
            LeaderElection leaderElection,
            BackoffPolicy podBackOff,
            int bindsInFlight,
            DoorSettings doors,
            DiagnosticsSettings diagnostics) {
        this(profiles, Map.of(), leaderElection, podBackOff, bindsInFlight, doors, HttpSettings.DEFAULT, diagnostics);
    }

    public Config {
        Map<String, Object> sources = new TreeMap<>(profileSources);
        Map<String, Profile> profilesByName = profiles.byName();
        sources.keySet()
                .removeIf(name ->
                        profilesByName.getOrDefault(name, Profile.DEFAULT).equals(Profile.DEFAULT));
        profileSources = Collections.unmodifiableMap(sources);
        if (profiles.schedulerNames().isEmpty()) {
            throw new IllegalArgumentException("schedulerNames is empty: name at least one, such as berth-scheduler");
        }
        if (bindsInFlight < 1 || bindsInFlight > 10_000) {
            throw new IllegalArgumentException(
                    "maxConcurrentBinds (%d) must be from 1 to 10000".formatted(bindsInFlight));
        }
    }

    /** The scheduler names that Berth serves, sorted. */
    public Set<String> schedulerNames() {
        return profiles.schedulerNames();
    }

    public Config withLeaderElection(LeaderElection other) {
        return new Config(profiles, profileSources, other, podBackOff, bindsInFlight, doors, http, diagnostics);
    }

    /** The default profile for each of the names. */
    public Config withSchedulerNames(Set<String> names) {
        return withProfiles(Profiles.forSchedulers(names, Profile.DEFAULT));
    }

    public Config withProfiles(Profiles others) {
        return new Config(others, profileSources, leaderElection, podBackOff, bindsInFlight, doors, http, diagnostics);
    }

    public Config withDoors(DoorSettings settings) {
        return new Config(
                profiles, profileSources, leaderElection, podBackOff, bindsInFlight, settings, http, diagnostics);
    }

    public Config withDiagnostics(DiagnosticsSettings settings) {
        return new Config(profiles, profileSources, leaderElection, podBackOff, bindsInFlight, doors, http, settings);
    }

    public Config withHttp(HttpSettings settings) {
        return new Config(
                profiles, profileSources, leaderElection, podBackOff, bindsInFlight, doors, settings, diagnostics);
    }
}
