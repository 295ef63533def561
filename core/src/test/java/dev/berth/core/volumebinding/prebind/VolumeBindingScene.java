package dev.berth.core.volumebinding.prebind;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.DeviceFilter;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.QueueState;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.scheduling.TimeBudget;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeBuilder;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimBuilder;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.core.volumebinding.VolumeFact;
import dev.berth.core.volumebinding.VolumeWrite;
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
final class VolumeBindingScene {
    /** More decisions than there are pods in any scene, several times over. */
    private static final int MANY = 1000;

    private static final Profiles PROFILES = Profiles.forSchedulers(Set.of("default-scheduler"), Profile.DEFAULT);

    final Ledger ledger = new Ledger();
    private final NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
    final VolumeBinding door = new VolumeBinding(ledger, PROFILES, nominatedNodes);
    final Placer placer = new Placer(ledger, PROFILES, DeviceFilter.NONE, door.filter());
    final Scheduler scheduler = new Scheduler(
            ledger,
            placer,
            new SchedulingQueue(BackoffPolicy.DEFAULT),
            PROFILES.schedulerNames(),
            List.of(),
            List.of(door, nominatedNodes));
    final Map<String, PersistentVolumeClaim> claims = new TreeMap<>();
    final Map<String, PersistentVolume> volumes = new TreeMap<>();
    final Map<String, String> bound = new TreeMap<>();
    final List<Effect> sent = new ArrayList<>();
    final List<String> conditionMessages = new ArrayList<>();
    /** The nominated nodes, such as {@code p to n1}; {@code p to } if cleared. */
    final List<String> nominated = new ArrayList<>();

    private TimeBudget timeBudget = TimeBudget.UNBOUNDED;
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private int version = 1;

    VolumeBindingScene upsert(NodeBuilder node) {
        return upsert(node.build());
    }

    VolumeBindingScene upsert(Node node) {
        scheduler.apply(new Fact.NodeUpserted(node), now);
        return this;
    }

    VolumeBindingScene nodeGone(String uid) {
        scheduler.apply(new Fact.NodeDeleted(new NodeUid(uid)), now);
        return this;
    }

    VolumeBindingScene upsert(PodBuilder pod) {
        return upsert(pod.build());
    }

    VolumeBindingScene upsert(Pod pod) {
        scheduler.apply(new Fact.PodUpserted(pod), now);
        return this;
    }

    VolumeBindingScene deletePod(String pod) {
        scheduler.apply(new Fact.PodDeleted(new PodUid(pod)), now);
        return this;
    }

    VolumeBindingScene upsert(PersistentVolumeClaimBuilder claim) {
        version++;
        PersistentVolumeClaim built = claim.version("v" + version).build();
        claims.put(built.key().name(), built);
        return upsert(built);
    }

    VolumeBindingScene upsert(PersistentVolumeBuilder volume) {
        version++;
        PersistentVolume built = volume.version("v" + version).build();
        volumes.put(built.name(), built);
        return upsert(built);
    }

    VolumeBindingScene upsert(StorageObject object) {
        scheduler.apply(new VolumeFact.Upserted(object), now);
        return this;
    }

    VolumeBindingScene delete(StorageObject object) {
        scheduler.apply(new VolumeFact.Deleted(object.uid()), now);
        return this;
    }

    PersistentVolumeClaim claim(String name) {
        return Objects.requireNonNull(claims.get(name), name);
    }

    PersistentVolume volume(String name) {
        return Objects.requireNonNull(volumes.get(name), name);
    }

    VolumeBindingScene advance(Duration time) {
        now = now.plus(time);
        return run();
    }

    /** From now on each turn has time for one object of each door. */
    VolumeBindingScene withShortTurns() {
        timeBudget = () -> true;
        return this;
    }

    /** Schedules and reconciles until nothing is left to do; the writes wait in {@link #sent}. */
    VolumeBindingScene run() {
        scheduler.advance(now);
        for (int round = 0; round < MANY; round++) {
            scheduler.reconcileDoors(now, timeBudget);
            List<Effect> effects = new ArrayList<>(scheduler.drainEffects());
            scheduler.scheduleOne(now).ifPresent(effects::addAll);
            if (effects.isEmpty()
                    && !scheduler.needsReconcile()
                    && !scheduler.queue().hasActive()) {
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
            conditionMessages.add(mark.message());
        } else if (effect instanceof SetNominatedNode nominate) {
            nominated.add("%s to %s".formatted(nominate.pod().name(), nominate.node()));
        } else if (effect instanceof VolumeWrite) {
            sent.add(effect);
        }
    }

    /** The API server does all that was sent, and shows it. */
    VolumeBindingScene performWrites() {
        List<Effect> writes = List.copyOf(sent);
        sent.clear();
        for (Effect effect : writes) {
            VolumeWrite write = (VolumeWrite) effect;
            WriteResult writeResult = apply(write);
            scheduler.onWriteResult(write, writeResult, now);
        }
        return run();
    }

    /** The same, but the answer says so before the watch shows it, and that is for the test to do. */
    WriteResult apply(VolumeWrite write) {
        if (write instanceof VolumeWrite.SetClaimRef setClaimRef) {
            PersistentVolume volume = volume(setClaimRef.volume());
            if (!volume.version().equals(setClaimRef.version())) {
                return new WriteResult(WriteResult.ResultKind.CONFLICT, "the object has been modified");
            }
            change(
                    volume,
                    new PersistentVolume.VolumeState(
                            Optional.of(setClaimRef.claimRef()),
                            setClaimRef.boundByController(),
                            volume.state().available(),
                            volume.state().terminating()));
        } else if (write instanceof VolumeWrite.SetSelectedNode select) {
            PersistentVolumeClaim claim = claim(select.claim().name());
            if (!claim.version().equals(select.version())) {
                return new WriteResult(WriteResult.ResultKind.CONFLICT, "the object has been modified");
            }
            PersistentVolumeClaim.ClaimState state = claim.state();
            change(
                    claim,
                    new PersistentVolumeClaim.ClaimState(
                            state.volumeName(),
                            state.bindCompleted(),
                            Optional.of(select.node()),
                            state.lost(),
                            state.terminating(),
                            state.ownerUid()));
        }
        return WriteResult.WRITTEN;
    }

    void change(PersistentVolume volume, PersistentVolume.VolumeState state) {
        version++;
        PersistentVolume next = new PersistentVolume(
                volume.name(),
                volume.uid(),
                "v" + version,
                volume.labels(),
                volume.spec(),
                volume.reachability(),
                state);
        volumes.put(next.name(), next);
        upsert(next);
    }

    void change(PersistentVolumeClaim claim, PersistentVolumeClaim.ClaimState state) {
        version++;
        PersistentVolumeClaim next =
                new PersistentVolumeClaim(claim.key(), claim.uid(), "v" + version, claim.spec(), state);
        claims.put(next.key().name(), next);
        upsert(next);
    }

    /** What kube-controller-manager does about a volume that is reserved for a claim: one that has another it frees. */
    VolumeBindingScene controllerBinds(String volumeName) {
        PersistentVolume volume = volume(volumeName);
        PersistentVolumeClaimKey key = volume.state().claimRef().orElseThrow().key();
        String has = claim(key.name()).state().volumeName();
        if (!has.isEmpty() && !has.equals(volumeName)) {
            change(volume, new PersistentVolume.VolumeState(Optional.empty(), false, true, false));
            return run();
        }
        change(volume, new PersistentVolume.VolumeState(volume.state().claimRef(), true, false, false));
        PersistentVolumeClaim claim = claim(key.name());
        change(
                claim,
                new PersistentVolumeClaim.ClaimState(
                        volumeName,
                        true,
                        claim.state().selectedNode(),
                        false,
                        false,
                        claim.state().ownerUid()));
        return run();
    }

    /** What a provisioner says when it cannot make a volume there. */
    VolumeBindingScene provisionerGivesUp(String claimName) {
        PersistentVolumeClaim claim = claim(claimName);
        change(
                claim,
                new PersistentVolumeClaim.ClaimState(
                        "", false, Optional.empty(), false, false, claim.state().ownerUid()));
        return run();
    }

    /** What a provisioner and kube-controller-manager do about a claim with a selected node. */
    VolumeBindingScene provisionerMakes(PersistentVolumeBuilder volume, String claimName) {
        PersistentVolumeClaim claim = claim(claimName);
        upsert(volume.boundTo(claim));
        return controllerBinds(volume.build().name());
    }

    boolean isAssumed(String pod) {
        return ledger.assumption(new PodUid(pod)).isPresent();
    }

    QueueState queueState(String pod) {
        return scheduler.queue().stateOf(new PodUid(pod)).orElseThrow();
    }
}
