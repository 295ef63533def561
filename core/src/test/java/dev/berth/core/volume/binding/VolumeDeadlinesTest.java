package dev.berth.core.volume.binding;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volume.ClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.preemption.NominatedNodes;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.profile.Afterwards;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.volume.StorageClass;
import dev.berth.core.volume.VolumeFact;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Profiles with different bind timeouts. */
class VolumeDeadlinesTest {
    private static final Profiles PROFILES = new Profiles(
            Map.of(
                    "slow", Profile.DEFAULT.withAfterwards(new Afterwards(true, Duration.ofHours(1))),
                    "quick", Profile.DEFAULT.withAfterwards(new Afterwards(true, Duration.ofSeconds(30)))),
            Profile.DEFAULT);

    @Test
    void aPodGivesItsNodeBackAtItsOwnDeadlineThoughAPodWithALaterDeadlineCameBefore() {
        Ledger ledger = new Ledger();
        VolumeDoor door = new VolumeDoor(ledger, PROFILES, new NominatedNodes());
        Decider decider = new Decider(
                ledger,
                new Placer(ledger, PROFILES, Devices.NONE, door.volumes()),
                new SchedulingQueue(BackOff.DEFAULT),
                PROFILES.names(),
                List.of(door));
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        decider.learn(new VolumeFact.Seen(new StorageClass("made", "c", "disks.example.com", true, List.of())), now);
        decider.learn(new Fact.NodeSeen(aNode("n1").with("4 cpu").build()), now);
        decider.learn(new VolumeFact.Seen(aClaim("a").of("made").version("v1").build()), now);
        decider.learn(new VolumeFact.Seen(aClaim("b").of("made").version("v1").build()), now);
        decider.learn(
                new Fact.PodSeen(aPod("first")
                        .mounting("a")
                        .with(it -> it.schedulerName("slow"))
                        .build()),
                now);
        turn(decider, now);
        decider.learn(
                new Fact.PodSeen(aPod("second")
                        .mounting("b")
                        .with(it -> it.schedulerName("quick"))
                        .build()),
                now);
        turn(decider, now);
        assertThat(ledger.assumption(new PodUid("second"))).isPresent();

        Instant later = now.plusSeconds(31);
        decider.advance(later);
        decider.settle(later);

        assertThat(ledger.assumption(new PodUid("second")))
                .as("its 30 seconds are over, and it keeps the node until the other pod's hour is over")
                .isEmpty();
    }

    private static void turn(Decider decider, Instant now) {
        decider.advance(now);
        decider.settle(now);
        while (decider.next(now).isPresent()) {
            // until nobody waits
        }
        decider.settle(now);
        decider.takeEffects();
    }
}
