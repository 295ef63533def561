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
 * @param schedulerLeases the Leases of other schedulers that may serve the same names
 * @param yieldedNames the configured scheduler names that are not served for now, because their own schedulers run, each
 * with the reason; they have no profile
 */
public record Config(
        Profiles profiles,
        Map<String, Object> profileSources,
        LeaderElection leaderElection,
        BackoffPolicy podBackOff,
        int bindsInFlight,
        DoorSettings doors,
        HttpSettings http,
        DiagnosticsSettings diagnostics,
        SchedulerLeases schedulerLeases,
        Map<String, String> yieldedNames) {
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

    /** A configuration with the usual Leases of other schedulers, which serves all of its names. */
    public Config(
            Profiles profiles,
            Map<String, Object> profileSources,
            LeaderElection leaderElection,
            BackoffPolicy podBackOff,
            int bindsInFlight,
            DoorSettings doors,
            HttpSettings http,
            DiagnosticsSettings diagnostics) {
        this(
                profiles,
                profileSources,
                leaderElection,
                podBackOff,
                bindsInFlight,
                doors,
                http,
                diagnostics,
                SchedulerLeases.DEFAULT,
                Map.of());
    }

    public Config {
        Map<String, Object> sources = new TreeMap<>(profileSources);
        Map<String, Profile> profilesByName = profiles.byName();
        sources.keySet()
                .removeIf(name ->
                        profilesByName.getOrDefault(name, Profile.DEFAULT).equals(Profile.DEFAULT));
        profileSources = Collections.unmodifiableMap(sources);
        yieldedNames = Collections.unmodifiableMap(new TreeMap<>(yieldedNames));
        if (profiles.schedulerNames().isEmpty() && yieldedNames.isEmpty()) {
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
        return copy(profiles, other, doors, http, diagnostics, schedulerLeases, yieldedNames);
    }

    /** The default profile for each of the names. */
    public Config withSchedulerNames(Set<String> names) {
        return withProfiles(Profiles.forSchedulers(names, Profile.DEFAULT));
    }

    public Config withProfiles(Profiles others) {
        return copy(others, leaderElection, doors, http, diagnostics, schedulerLeases, yieldedNames);
    }

    public Config withDoors(DoorSettings settings) {
        return copy(profiles, leaderElection, settings, http, diagnostics, schedulerLeases, yieldedNames);
    }

    public Config withDiagnostics(DiagnosticsSettings settings) {
        return copy(profiles, leaderElection, doors, http, settings, schedulerLeases, yieldedNames);
    }

    public Config withHttp(HttpSettings settings) {
        return copy(profiles, leaderElection, doors, settings, diagnostics, schedulerLeases, yieldedNames);
    }

    public Config withSchedulerLeases(SchedulerLeases leases) {
        return copy(profiles, leaderElection, doors, http, diagnostics, leases, yieldedNames);
    }

    /**
     * The configuration that does not serve these names for now.
     *
     * @param names each with the reason
     */
    public Config withYieldedNames(Map<String, String> names) {
        Map<String, Profile> served = new TreeMap<>(profiles.byName());
        served.keySet().removeAll(names.keySet());
        Profiles rest = new Profiles(served, profiles.fallback());
        return copy(rest, leaderElection, doors, http, diagnostics, schedulerLeases, names);
    }

    private Config copy(
            Profiles otherProfiles,
            LeaderElection otherElection,
            DoorSettings otherDoors,
            HttpSettings otherHttp,
            DiagnosticsSettings otherDiagnostics,
            SchedulerLeases otherLeases,
            Map<String, String> otherYielded) {
        return new Config(
                otherProfiles,
                profileSources,
                otherElection,
                podBackOff,
                bindsInFlight,
                otherDoors,
                otherHttp,
                otherDiagnostics,
                otherLeases,
                otherYielded);
    }
}
