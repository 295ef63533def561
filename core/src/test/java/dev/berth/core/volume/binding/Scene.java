package dev.berth.core.volume.binding;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Pace;
import dev.berth.core.door.preemption.NominatedNodes;
import dev.berth.core.door.preemption.PreemptionWrite.Nominate;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.queue.Standing;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volume.ClaimBuilder;
import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.StorageObject;
import dev.berth.core.volume.VolumeBuilder;
import dev.berth.core.volume.VolumeClaim;
import dev.berth.core.volume.VolumeFact;
import dev.berth.core.volume.VolumeWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A decider with the door of volumes beside an API server that has the objects; the test plays their controller. */
final class Scene {
    /** More decisions than there are pods in any scene, several times over. */
    private static final int MANY = 1000;

    private static final Profiles PROFILES = Profiles.same(Set.of("default-scheduler"), Profile.DEFAULT);

    final Ledger ledger = new Ledger();
    final VolumeDoor door = new VolumeDoor(ledger, PROFILES, new NominatedNodes());
    final Decider decider = new Decider(
            ledger,
            new Placer(ledger, PROFILES, Devices.NONE, door.volumes()),
            new SchedulingQueue(BackOff.DEFAULT),
            PROFILES.names(),
            List.of(door));
    final Map<String, VolumeClaim> claims = new TreeMap<>();
    final Map<String, PersistentVolume> volumes = new TreeMap<>();
    final Map<String, String> bound = new TreeMap<>();
    final List<Effect> sent = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    /** Where pods are said to be about to be, such as {@code p to n1}; {@code p to } when nowhere any more. */
    final List<String> nominated = new ArrayList<>();

    private Pace pace = Pace.UNBOUNDED;
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private int version = 1;

    Scene seen(NodeBuilder node) {
        return seen(node.build());
    }

    Scene seen(Node node) {
        decider.learn(new Fact.NodeSeen(node), now);
        return this;
    }

    Scene nodeGone(String uid) {
        decider.learn(new Fact.NodeGone(new NodeUid(uid)), now);
        return this;
    }

    Scene seen(PodBuilder pod) {
        return seen(pod.build());
    }

    Scene seen(Pod pod) {
        decider.learn(new Fact.PodSeen(pod), now);
        return this;
    }

    Scene gone(String pod) {
        decider.learn(new Fact.PodGone(new PodUid(pod)), now);
        return this;
    }

    Scene seen(ClaimBuilder claim) {
        version++;
        VolumeClaim built = claim.version("v" + version).build();
        claims.put(built.key().name(), built);
        return seen(built);
    }

    Scene seen(VolumeBuilder volume) {
        version++;
        PersistentVolume built = volume.version("v" + version).build();
        volumes.put(built.name(), built);
        return seen(built);
    }

    Scene seen(StorageObject object) {
        decider.learn(new VolumeFact.Seen(object), now);
        return this;
    }

    Scene gone(StorageObject object) {
        decider.learn(new VolumeFact.Gone(object.uid()), now);
        return this;
    }

    VolumeClaim claim(String name) {
        return Objects.requireNonNull(claims.get(name), name);
    }

    PersistentVolume volume(String name) {
        return Objects.requireNonNull(volumes.get(name), name);
    }

    Scene advance(Duration time) {
        now = now.plus(time);
        return run();
    }

    /** From now on each turn has time for one object of each door. */
    Scene hurried() {
        pace = () -> true;
        return this;
    }

    /** Decides and settles until there is nothing more to do; what is to be written waits in {@link #sent}. */
    Scene run() {
        decider.advance(now);
        for (int round = 0; round < MANY; round++) {
            decider.settle(now, pace);
            List<Effect> effects = new ArrayList<>(decider.takeEffects());
            decider.next(now).ifPresent(effects::addAll);
            if (effects.isEmpty() && !decider.unsettled() && !decider.queue().hasActive()) {
                return this;
            }
            effects.forEach(this::sort);
        }
        throw new AssertionError("the door does not come to rest: " + sent);
    }

    private void sort(Effect effect) {
        if (effect instanceof Effect.Bind bind) {
            bound.put(bind.pod().name(), bind.node());
        } else if (effect instanceof Effect.MarkUnscheduled mark) {
            told.add(mark.message());
        } else if (effect instanceof Nominate nominate) {
            nominated.add("%s to %s".formatted(nominate.pod().name(), nominate.node()));
        } else if (effect instanceof VolumeWrite) {
            sent.add(effect);
        }
    }

    /** The API server does all that was sent, and shows it. */
    Scene carryOut() {
        List<Effect> writes = List.copyOf(sent);
        sent.clear();
        for (Effect effect : writes) {
            VolumeWrite write = (VolumeWrite) effect;
            Outcome outcome = apply(write);
            decider.written(write, outcome, now);
        }
        return run();
    }

    /** The same, but the answer says so before the watch shows it, and that is for the test to do. */
    Outcome apply(VolumeWrite write) {
        if (write instanceof VolumeWrite.Reserve reserve) {
            PersistentVolume volume = volume(reserve.volume());
            if (!volume.version().equals(reserve.version())) {
                return new Outcome(Outcome.Kind.CONFLICT, "the object has been modified");
            }
            change(
                    volume,
                    new PersistentVolume.State(
                            Optional.of(reserve.claim()),
                            reserve.byController(),
                            volume.state().available(),
                            volume.state().deleting()));
        } else if (write instanceof VolumeWrite.SelectNode select) {
            VolumeClaim claim = claim(select.claim().name());
            if (!claim.version().equals(select.version())) {
                return new Outcome(Outcome.Kind.CONFLICT, "the object has been modified");
            }
            VolumeClaim.State state = claim.state();
            change(
                    claim,
                    new VolumeClaim.State(
                            state.volume(),
                            state.bindCompleted(),
                            Optional.of(select.node()),
                            state.lost(),
                            state.deleting(),
                            state.owner()));
        }
        return Outcome.WRITTEN;
    }

    void change(PersistentVolume volume, PersistentVolume.State state) {
        version++;
        PersistentVolume next = new PersistentVolume(
                volume.name(), volume.uid(), "v" + version, volume.labels(), volume.offer(), volume.reach(), state);
        volumes.put(next.name(), next);
        seen(next);
    }

    void change(VolumeClaim claim, VolumeClaim.State state) {
        version++;
        VolumeClaim next = new VolumeClaim(claim.key(), claim.uid(), "v" + version, claim.ask(), state);
        claims.put(next.key().name(), next);
        seen(next);
    }

    /** What kube-controller-manager does about a volume that is reserved for a claim: one that has another it frees. */
    Scene controllerBinds(String volumeName) {
        PersistentVolume volume = volume(volumeName);
        ClaimKey key = volume.state().claim().orElseThrow().key();
        String has = claim(key.name()).state().volume();
        if (!has.isEmpty() && !has.equals(volumeName)) {
            change(volume, new PersistentVolume.State(Optional.empty(), false, true, false));
            return run();
        }
        change(volume, new PersistentVolume.State(volume.state().claim(), true, false, false));
        VolumeClaim claim = claim(key.name());
        change(
                claim,
                new VolumeClaim.State(
                        volumeName,
                        true,
                        claim.state().selectedNode(),
                        false,
                        false,
                        claim.state().owner()));
        return run();
    }

    /** What a provisioner says when it cannot make a volume there. */
    Scene provisionerGivesUp(String claimName) {
        VolumeClaim claim = claim(claimName);
        change(
                claim,
                new VolumeClaim.State(
                        "", false, Optional.empty(), false, false, claim.state().owner()));
        return run();
    }

    /** What a provisioner and kube-controller-manager do about a claim that was told its node. */
    Scene provisionerMakes(VolumeBuilder volume, String claimName) {
        VolumeClaim claim = claim(claimName);
        seen(volume.boundTo(claim));
        return controllerBinds(volume.build().name());
    }

    boolean isAssumed(String pod) {
        return ledger.assumption(new PodUid(pod)).isPresent();
    }

    Standing standing(String pod) {
        return decider.queue().standing(new PodUid(pod)).orElseThrow();
    }
}
