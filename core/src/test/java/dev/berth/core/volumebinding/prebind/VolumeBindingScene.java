package dev.berth.core.volumebinding.prebind;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.QueueState;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.SchedulerBuilder;
import dev.berth.core.testing.SchedulerScene;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeBuilder;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimBuilder;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.core.volumebinding.VolumeFact;
import dev.berth.core.volumebinding.VolumeWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Volume binding and an API server with volumes and claims. The test plays their controller. Nothing runs before the test says
 * so, and writes wait in {@link #sent}.
 */
final class VolumeBindingScene extends SchedulerScene<VolumeBindingScene> {
    /** Several times as many scheduling attempts as there are pods in any test. */
    private static final int MANY = 1000;

    private static final Profiles PROFILES = Profiles.forSchedulers(Set.of("default-scheduler"), Profile.DEFAULT);

    final Map<String, PersistentVolumeClaim> claims = new TreeMap<>();
    final Map<String, PersistentVolume> volumes = new TreeMap<>();
    final Map<String, String> bound = new TreeMap<>();
    final List<Effect> sent = new ArrayList<>();
    final List<String> conditionMessages = new ArrayList<>();
    /** The nominations as text, such as {@code p to n1}; {@code p to } removes the nomination. */
    final List<String> nominated = new ArrayList<>();

    private final Ledger ledger = new Ledger();
    private final NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
    private final VolumeBinding volumeBinding = new VolumeBinding(ledger, PROFILES, nominatedNodes);
    private final SchedulerBuilder builder =
            aScheduler(ledger).withProfiles(PROFILES).withPlugins(volumeBinding, nominatedNodes);
    final Placer placer = builder.placer();
    private int version = 1;

    @Override
    protected Scheduler newScheduler() {
        return builder.build(placer);
    }

    @Override
    protected List<Fact> listObjects() {
        List<Fact> listed = new ArrayList<>();
        claims.values().forEach(it -> listed.add(new VolumeFact.Upserted(it)));
        volumes.values().forEach(it -> listed.add(new VolumeFact.Upserted(it)));
        return listed;
    }

    @Override
    protected VolumeBindingScene runTurns() {
        return this;
    }

    @Override
    public VolumeBindingScene advance(Duration time) {
        return super.advance(time).run();
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
        return apply(new VolumeFact.Upserted(object));
    }

    VolumeBindingScene delete(StorageObject object) {
        return apply(new VolumeFact.Deleted(object.uid()));
    }

    PersistentVolumeClaim claim(String name) {
        return Objects.requireNonNull(claims.get(name), name);
    }

    PersistentVolume volume(String name) {
        return Objects.requireNonNull(volumes.get(name), name);
    }

    /** Runs turns until there is nothing more to do; what is to be written waits in {@link #sent}. */
    VolumeBindingScene run() {
        scheduler().advance(clock.instant());
        for (int round = 0; round < MANY; round++) {
            reconcileComponents();
            List<Effect> effects = new ArrayList<>(scheduler().drainEffects());
            scheduler().scheduleOne(clock.instant()).ifPresent(effects::addAll);
            if (effects.isEmpty()
                    && !scheduler().needsReconcile()
                    && !scheduler().queue().hasActive()) {
                return this;
            }
            effects.forEach(this::dispatch);
        }
        throw new AssertionError("the door does not come to rest: " + sent);
    }

    @Override
    protected void dispatch(Effect effect) {
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
            WriteResult writeResult = perform(write);
            scheduler().onWriteResult(write, writeResult, clock.instant());
        }
        return run();
    }

    /** The same, but the answer says so before the watch shows it, and that is for the test to do. */
    @Override
    protected WriteResult perform(Effect.Write write) {
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

    /** What a provisioner and kube-controller-manager do about a claim that was told its node. */
    VolumeBindingScene provisionerMakes(PersistentVolumeBuilder volume, String claimName) {
        PersistentVolumeClaim claim = claim(claimName);
        upsert(volume.boundTo(claim));
        return controllerBinds(volume.build().name());
    }

    boolean isAssumed(String pod) {
        return ledger().assumption(new PodUid(pod)).isPresent();
    }

    QueueState queueState(String pod) {
        return scheduler().queue().stateOf(new PodUid(pod)).orElseThrow();
    }
}
