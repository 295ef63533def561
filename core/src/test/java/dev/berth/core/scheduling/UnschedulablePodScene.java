package dev.berth.core.scheduling;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.QueueState;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerBuilder;
import dev.berth.core.testing.SchedulerScene;
import dev.berth.core.volumebinding.PersistentVolumeBuilder;
import dev.berth.core.volumebinding.PersistentVolumeClaimBuilder;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.core.volumebinding.VolumeFact;
import dev.berth.core.volumebinding.prebind.VolumeBinding;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A pod {@code p} that is refused by node {@code n}, beside a closed node with a pod that nobody minds. */
final class UnschedulablePodScene extends SchedulerScene<UnschedulablePodScene> {
    /** A scheduler that puts pods on fast disks alone, whatever they say. */
    static final String PICKY = "picky-scheduler";

    private static final Profile FAST_DISKS =
            Profile.DEFAULT.withAddedAffinity(new NodeAffinity(Labels.of("disk", "ssd"), Optional.empty(), List.of()));
    private static final Profiles PROFILES =
            new Profiles(Map.of("default-scheduler", Profile.DEFAULT, PICKY, FAST_DISKS), Profile.DEFAULT);
    private static final Duration LONGER_THAN_BACK_OFF = Duration.ofSeconds(20);

    private final Ledger ledger = new Ledger();
    private final NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
    private final VolumeBinding volumes = new VolumeBinding(ledger, PROFILES, nominatedNodes);
    private final SchedulerBuilder builder = aScheduler(ledger)
            .serving(PROFILES.schedulerNames())
            .withProfiles(PROFILES)
            .withPlugins(volumes, nominatedNodes);
    private final Placer placer = builder.placer();

    UnschedulablePodScene() {
        upsert(aNode("closed").unschedulable());
        upsert(aPod("idle").on("closed"));
    }

    @Override
    protected Scheduler newScheduler() {
        return builder.build(placer);
    }

    @Override
    protected List<Fact> listObjects() {
        return List.of();
    }

    @Override
    protected WriteResult perform(Effect.Write write) {
        throw new AssertionError("nothing is written, but this was: " + write);
    }

    @Override
    protected UnschedulablePodScene runTurns() {
        return this;
    }

    UnschedulablePodScene upsert(HoldBuilder hold) {
        return apply(new Fact.HoldUpserted(hold.build()));
    }

    UnschedulablePodScene deleteHold(String id) {
        return apply(new Fact.HoldDeleted(new HoldId(id)));
    }

    UnschedulablePodScene upsert(StorageObject object) {
        return apply(new VolumeFact.Upserted(object));
    }

    UnschedulablePodScene delete(StorageObject object) {
        return apply(new VolumeFact.Deleted(object.uid()));
    }

    UnschedulablePodScene upsert(PersistentVolumeClaimBuilder claim) {
        return upsert(claim.version("v" + ledger.version()).build());
    }

    UnschedulablePodScene upsert(PersistentVolumeBuilder volume) {
        return upsert(volume.version("v" + ledger.version()).build());
    }

    /** The pod comes, is decided on once and sleeps, told so for this reason alone. */
    void refuse(PodBuilder pod, Veto.Code code) {
        upsert(pod);
        scheduler().reconcileComponents(clock.instant());
        assertThat(schedule()).isEqualTo(1);
        assertThat(scheduler().queue().stateOf(new PodUid("p"))).contains(QueueState.UNSCHEDULABLE);
        assertThat(codes(pod.build())).containsExactly(code);
    }

    private Set<Veto.Code> codes(Pod pod) {
        Optional<Veto> preFilterVeto = volumes.preFilter(pod);
        Stream<Veto> vetoes = preFilterVeto.isPresent()
                ? preFilterVeto.stream()
                : placer.vetoes(pod, ledger.node("n").orElseThrow(), HoldUse.PREFERRED).stream();
        return vetoes.map(Veto::code).collect(Collectors.toSet());
    }

    /** Whether the pod is decided on again, given time, but not so much that it loses patience. */
    boolean isRequeued() {
        clock.advance(LONGER_THAN_BACK_OFF);
        scheduler().advance(clock.instant());
        scheduler().reconcileComponents(clock.instant());
        return schedule() > 0;
    }

    private int schedule() {
        int decisions = 0;
        while (scheduler().scheduleOne(clock.instant()).isPresent()) {
            decisions++;
        }
        return decisions;
    }
}
