package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.cli.UserError;
import dev.berth.core.door.koordinator.settings.GarbageCollectionSettings;
import dev.berth.core.door.koordinator.settings.IgnoredResources;
import dev.berth.core.door.koordinator.settings.MoveSettings;
import dev.berth.core.door.koordinator.settings.PreAllocationSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.resource.ResourceName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of Koordinator Reservations in Berth's file and in kube-scheduler's. */
class KoordinatorSectionTest {
    private static final String ALL_KEYS = """
            koordinator:
              enablePreemption: true
              gcDurationSeconds: 3600
              disableGarbageCollection: true
              preAllocationConfig:
                enableClusterMode: true
                clusterLabelKey: example.com/candidate
                clusterPriorityAnnotationKey: example.com/priority
                preferNoPreAllocatedPods: true
              ignoredResources: [example.com/gpu]
              ignoredResourceGroups: [example.org]
              moving: {enabled: false, maxPerMinute: 7}
              cleanExpiredReservationAllocated: true
            """;
    private static final ReservationSettings ALL_SET = new ReservationSettings(
            true,
            new GarbageCollectionSettings(false, Duration.ofHours(1)),
            new PreAllocationSettings(true, "example.com/candidate", "example.com/priority", true),
            new IgnoredResources(Set.of(new ResourceName("example.com/gpu")), Set.of("example.org")),
            new MoveSettings(false, 7),
            true);
    private static final String SCHEDULER_FILE = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - schedulerName: koord-scheduler
              plugins: {preFilter: {enabled: [{name: Reservation}]}}
              pluginConfig:
              - name: Reservation
                args:
                  apiVersion: kubescheduler.config.k8s.io/v1
                  kind: ReservationArgs
                  enablePreemption: true
                  controllerWorkers: 4
            - schedulerName: second
              pluginConfig: [{name: Reservation, args: {enablePreemption: %s}}]
            """;

    @Test
    void theDefaultsAreThoseOfKoordinator() {
        ReservationSettings defaults = read("").doors().reservations();
        assertThat(defaults.preemptionEnabled()).isFalse();
        assertThat(defaults.garbageCollection()).isEqualTo(new GarbageCollectionSettings(true, Duration.ofDays(1)));
        assertThat(defaults.preAllocation())
                .isEqualTo(new PreAllocationSettings(
                        false,
                        "pod.koordinator.sh/is-pre-allocatable",
                        "pod.koordinator.sh/pre-allocatable-priority",
                        false));
        assertThat(defaults.ignoredResources()).isEqualTo(IgnoredResources.NONE);
        assertThat(defaults.cleansReservationAllocated()).isFalse();
    }

    @Test
    void everyKeyIsReadAndExchangedBetweenReplicas() {
        Config config = read(ALL_KEYS);
        assertThat(config.doors().reservations()).isEqualTo(ALL_SET);
        assertThat(MemberConfig.parse(MemberConfig.toJson(config)).reservations())
                .isEqualTo(ALL_SET);
    }

    @Test
    void keysWithoutEffectAreAcceptedWithAWarning() {
        ConfigFile.Parsed parsed = parse("""
                koordinator:
                  minCandidateNodesPercentage: 10
                  minCandidateNodesAbsolute: 100
                  controllerWorkers: 1
                  gcIntervalSeconds: 60
                  resyncIntervalSeconds: 60
                  reservationSelectorIndex: {enabled: true, keyPrefixes: [example.com/], keys: [zone]}
                """);
        assertThat(parsed.config()).isEqualTo(Config.DEFAULT);
        assertThat(parsed.warnings())
                .hasSize(8)
                .allMatch(it -> it.matches("koordinator\\.\\S+ has no effect: Berth .+"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gcDurationSeconds: -1 | koordinator.gcDurationSeconds (-1) must be a whole number, at least 0
            gcIntervalSeconds: -1 | koordinator.gcIntervalSeconds (-1) must be a whole number, at least 0
            resyncIntervalSeconds: -1 | koordinator.resyncIntervalSeconds (-1) must be a whole number, at least 0
            minCandidateNodesPercentage: 101 | koordinator.minCandidateNodesPercentage (101) must be a whole number from 0 to 100
            minCandidateNodesAbsolute: -1 | koordinator.minCandidateNodesAbsolute (-1) must be a whole number, at least 0
            gcDuration: 1h | unknown key (koordinator.gcDuration). Known keys: cleanExpiredReservationAllocated, controllerWorkers
            preAllocationConfig: {mode: Cluster} | unknown key (koordinator.preAllocationConfig.mode). Known keys: clusterLabelKey
            ignoredResources: [cpu] | koordinator.ignoredResources[0] (cpu) must be an extended resource such as example.com/gpu
            ignoredResources: [kubernetes.io/batch-cpu] | koordinator.ignoredResources[0] (kubernetes.io/batch-cpu) must be an extended resource
            ignoredResourceGroups: [a.com, b/c] | koordinator.ignoredResourceGroups[1] (b/c) must be a group of extended resources such as example.com
            ignoredResourceGroups: [kubernetes.io] | koordinator.ignoredResourceGroups[0] (kubernetes.io) must be a group of extended resources
            moving: {maxPerMinute: 0} | koordinator.moving.maxPerMinute (0) must be at least 1. To stop moving, set koordinator.moving.enabled to false
            """)
    void anInvalidValueIsRejectedWithTheExpectedForm(String setting, String message) {
        assertThatThrownBy(() -> read("koordinator: {%s}".formatted(setting)))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("berth.yaml: " + message);
    }

    @Test
    void theArgumentsOfThePluginAreReadFromAKubeSchedulerFile() {
        ConfigFile.Parsed parsed = parse(SCHEDULER_FILE.formatted("true"));
        assertThat(parsed.config().doors().reservations())
                .isEqualTo(ReservationSettings.DEFAULT.withPreemptionEnabled(true));
        assertThat(parsed.warnings())
                .containsExactly(
                        "profiles[0].plugins.preFilter.enabled[0].name (Reservation) has no effect: the door koordinator serves Reservations for all profiles",
                        "profiles[0].pluginConfig[0].args.controllerWorkers has no effect: Berth has one thread for all Reservations");
    }

    @Test
    void profilesWithDifferentArgumentsAreRejected() {
        assertThatThrownBy(() -> read(SCHEDULER_FILE.formatted("false")))
                .hasMessageContaining(
                        "profiles[1].pluginConfig[0].args ({enablePreemption=false}) differs from the arguments of another profile");
    }

    @Test
    void anArgumentInAProfileAndInTheSectionIsRejectedButBerthsOwnKeysAreNot() {
        String profiles = "profiles: [{pluginConfig: [{name: Reservation, args: {enablePreemption: true}}]}]\n";
        ReservationSettings settings = read(profiles + "koordinator: {moving: {enabled: false}}")
                .doors()
                .reservations();
        assertThat(settings)
                .isEqualTo(ReservationSettings.DEFAULT
                        .withPreemptionEnabled(true)
                        .withMoving(new MoveSettings(false, 60)));
        assertThatThrownBy(() -> read(profiles + "koordinator: {gcDurationSeconds: 5}"))
                .hasMessageContaining(
                        "koordinator.gcDurationSeconds must not be set together with arguments of the plugin Reservation");
    }

    @Test
    void argumentsInAProfileThatEqualTheDefaultsAreArgumentsToo() {
        String profiles = "profiles: [{pluginConfig: [{name: Reservation, args: {enablePreemption: false}}]}]\n";
        assertThat(read(profiles).doors().reservations()).isEqualTo(ReservationSettings.DEFAULT);
        assertThatThrownBy(() -> read(profiles + "koordinator: {enablePreemption: true}"))
                .hasMessageContaining(
                        "koordinator.enablePreemption must not be set together with arguments of the plugin Reservation");
    }

    @Test
    void replicasWithDifferentSettingsConflictUnlessOneDisablesTheDoor() {
        MemberConfig defaults = MemberConfig.from(read(""));
        MemberConfig other = MemberConfig.from(read("koordinator: {ignoredResourceGroups: [example.org]}"));
        assertThat(defaults.conflictWith(other))
                .contains(
                        "koordinator.ignoredResourceGroups is [] in this replica and [\"example.org\"] in the other one");
        assertThat(defaults.conflictWith(defaults)).isEmpty();
        MemberConfig without = MemberConfig.from(read("doors: {disabled: [koordinator]}"));
        assertThat(without.conflictWith(other)).isEmpty();
        assertThat(without.merge(other).applyTo(read("")).doors().reservations())
                .isEqualTo(other.reservations());
    }

    private static Config read(String text) {
        return parse(text).config();
    }

    private static ConfigFile.Parsed parse(String text) {
        return ConfigFile.parse(text, Path.of("berth.yaml"));
    }
}
