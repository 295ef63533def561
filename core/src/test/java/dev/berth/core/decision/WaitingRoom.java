package dev.berth.core.decision;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.preemption.NominatedNodes;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.queue.Standing;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volume.ClaimBuilder;
import dev.berth.core.volume.StorageObject;
import dev.berth.core.volume.VolumeBuilder;
import dev.berth.core.volume.VolumeFact;
import dev.berth.core.volume.binding.VolumeDoor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A pod {@code p} that is refused by node {@code n}, beside a closed node with a pod that nobody minds. */
final class WaitingRoom {
    /** A scheduler that puts pods on fast disks alone, whatever they say. */
    static final String PICKY = "picky-scheduler";

    private static final Profile FAST_DISKS =
            Profile.DEFAULT.withAdded(new NodeAffinity(Labels.of("disk", "ssd"), Optional.empty(), List.of()));
    private static final Profiles PROFILES =
            new Profiles(Map.of("default-scheduler", Profile.DEFAULT, PICKY, FAST_DISKS), Profile.DEFAULT);
    private static final Duration LONGER_THAN_BACK_OFF = Duration.ofSeconds(20);

    private final Ledger ledger = new Ledger();
    private final VolumeDoor door = new VolumeDoor(ledger, PROFILES, new NominatedNodes());
    private final Placer placer = new Placer(ledger, PROFILES, Devices.NONE, door.volumes());
    private final SchedulingQueue queue = new SchedulingQueue(BackOff.DEFAULT);
    private final Decider decider = new Decider(ledger, placer, queue, PROFILES.names(), List.of(door));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    WaitingRoom() {
        seen(aNode("closed").unschedulable());
        seen(aPod("idle").on("closed"));
    }

    WaitingRoom seen(NodeBuilder node) {
        return seen(node.build());
    }

    WaitingRoom seen(Node node) {
        return learn(new Fact.NodeSeen(node));
    }

    WaitingRoom seen(PodBuilder pod) {
        return learn(new Fact.PodSeen(pod.build()));
    }

    WaitingRoom gone(String pod) {
        return learn(new Fact.PodGone(new PodUid(pod)));
    }

    WaitingRoom seen(HoldBuilder hold) {
        return learn(new Fact.HoldSeen(hold.build()));
    }

    WaitingRoom holdGone(String id) {
        return learn(new Fact.HoldGone(new HoldId(id)));
    }

    WaitingRoom seen(StorageObject object) {
        return learn(new VolumeFact.Seen(object));
    }

    WaitingRoom gone(StorageObject object) {
        return learn(new VolumeFact.Gone(object.uid()));
    }

    WaitingRoom seen(ClaimBuilder claim) {
        return seen(claim.version("v" + ledger.version()).build());
    }

    WaitingRoom seen(VolumeBuilder volume) {
        return seen(volume.version("v" + ledger.version()).build());
    }

    WaitingRoom learn(Fact fact) {
        decider.learn(fact, now);
        return this;
    }

    /** The pod comes, is decided on once and sleeps, told so for this reason alone. */
    void refuse(PodBuilder pod, Veto.Code code) {
        seen(pod);
        decider.settle(now);
        assertThat(decide()).isEqualTo(1);
        assertThat(queue.standing(new PodUid("p"))).contains(Standing.WAITING);
        assertThat(codes(pod.build())).containsExactly(code);
    }

    private Set<Veto.Code> codes(Pod pod) {
        Optional<Veto> beforehand = door.volumes().beforehand(pod);
        Stream<Veto> vetoes = beforehand.isPresent()
                ? beforehand.stream()
                : placer.vetoes(pod, ledger.node("n").orElseThrow(), HoldUse.PREFERRED).stream();
        return vetoes.map(Veto::code).collect(Collectors.toSet());
    }

    /** Whether the pod is decided on again, given time, but not so much that it loses patience. */
    boolean wakes() {
        now = now.plus(LONGER_THAN_BACK_OFF);
        decider.advance(now);
        decider.settle(now);
        return decide() > 0;
    }

    private int decide() {
        int decisions = 0;
        while (decider.next(now).isPresent()) {
            decisions++;
        }
        return decisions;
    }
}
