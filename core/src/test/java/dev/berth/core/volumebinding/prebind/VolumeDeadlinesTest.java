package dev.berth.core.volumebinding.prebind;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.profile.PreemptionAndVolumeSettings;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.VolumeFact;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Profiles with different bind timeouts. */
class VolumeDeadlinesTest {
    private static final Profiles PROFILES = new Profiles(
            Map.of(
                    "slow",
                            Profile.DEFAULT.withPreemptionAndVolumeSettings(
                                    new PreemptionAndVolumeSettings(true, Duration.ofHours(1))),
                    "quick",
                            Profile.DEFAULT.withPreemptionAndVolumeSettings(
                                    new PreemptionAndVolumeSettings(true, Duration.ofSeconds(30)))),
            Profile.DEFAULT);

    @Test
    void aPodGivesItsNodeBackAtItsOwnDeadlineThoughAPodWithALaterDeadlineCameBefore() {
        Ledger ledger = new Ledger();
        NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
        VolumeBinding volumes = new VolumeBinding(ledger, PROFILES, nominatedNodes);
        Scheduler scheduler = aScheduler(ledger)
                .serving(PROFILES.schedulerNames())
                .withProfiles(PROFILES)
                .withPlugins(volumes, nominatedNodes)
                .build();
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        scheduler.apply(
                new VolumeFact.Upserted(new StorageClass("made", "c", "disks.example.com", true, List.of())), now);
        scheduler.apply(new Fact.NodeUpserted(aNode("n1").with("4 cpu").build()), now);
        scheduler.apply(
                new VolumeFact.Upserted(
                        aClaim("a").ofClass("made").version("v1").build()),
                now);
        scheduler.apply(
                new VolumeFact.Upserted(
                        aClaim("b").ofClass("made").version("v1").build()),
                now);
        scheduler.apply(
                new Fact.PodUpserted(aPod("first")
                        .mounting("a")
                        .with(it -> it.schedulerName("slow"))
                        .build()),
                now);
        turn(scheduler, now);
        scheduler.apply(
                new Fact.PodUpserted(aPod("second")
                        .mounting("b")
                        .with(it -> it.schedulerName("quick"))
                        .build()),
                now);
        turn(scheduler, now);
        assertThat(ledger.assumption(new PodUid("second"))).isPresent();

        Instant later = now.plusSeconds(31);
        scheduler.advance(later);
        scheduler.reconcileComponents(later);

        assertThat(ledger.assumption(new PodUid("second")))
                .as("its 30 seconds are over, and it keeps the node until the other pod's hour is over")
                .isEmpty();
    }

    private static void turn(Scheduler scheduler, Instant now) {
        scheduler.advance(now);
        scheduler.reconcileComponents(now);
        while (scheduler.scheduleOne(now).isPresent()) {
            // until no pod waits
        }
        scheduler.reconcileComponents(now);
        scheduler.drainEffects();
    }
}
