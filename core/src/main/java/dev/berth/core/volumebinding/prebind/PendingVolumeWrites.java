package dev.berth.core.volumebinding.prebind;

import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.reconcile.DesiredWrites;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.StorageIndex;
import dev.berth.core.volumebinding.VolumeWrite;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The writes to volumes and claims for pending bindings, and their results. A write is based on a version of its
 * object, and its effect shows only in a newer version. Until that is observed, the object is not conclusive.
 */
final class PendingVolumeWrites implements DesiredWrites<VolumeDecision.WriteTarget, VolumeWrite> {

    private final StorageIndex storageIndex;
    private final Reconciler<VolumeDecision.WriteTarget, VolumeWrite> reconciler = new Reconciler<>(this);
    /** The desired writes. */
    private final Map<VolumeDecision.WriteTarget, VolumeWrite> desired = new HashMap<>();
    /** The object versions on which accepted writes were based. */
    private final Map<VolumeDecision.WriteTarget, String> acceptedVersions = new HashMap<>();
    /** The API server's messages for objects that do not exist. */
    private final Map<VolumeDecision.WriteTarget, String> notFound = new HashMap<>();

    PendingVolumeWrites(StorageIndex storageIndex) {
        this.storageIndex = storageIndex;
    }

    @Override
    public String observedVersion(VolumeDecision.WriteTarget target) {
        return target.volume().isEmpty()
                ? storageIndex
                        .findClaim(target.claim())
                        .map(PersistentVolumeClaim::version)
                        .orElse("")
                : storageIndex
                        .findVolume(target.volume())
                        .map(PersistentVolume::version)
                        .orElse("");
    }

    /** A desired write that is based on another version is dropped, and decided on again. */
    @Override
    public Optional<VolumeWrite> desiredWrite(VolumeDecision.WriteTarget target, Handle handle) {
        return Optional.ofNullable(desired.get(target))
                .filter(write -> write.version().equals(observedVersion(target)));
    }

    @Override
    public EventTarget eventTarget(VolumeWrite write) {
        PersistentVolumeClaimKey claim = write instanceof VolumeWrite.SetClaimRef setClaimRef
                ? setClaimRef.claimRef().key()
                : ((VolumeWrite.SetSelectedNode) write).claim();
        String uid =
                storageIndex.findClaim(claim).map(PersistentVolumeClaim::uid).orElse("");
        return new EventTarget("v1", "PersistentVolumeClaim", claim.namespace(), claim.name(), uid, EventTarget.BERTH);
    }

    @Override
    public String denialConsequence(VolumeWrite write) {
        return "Pods that mount the claim wait.";
    }

    void write(VolumeDecision.WriteTarget target, VolumeWrite write, Handle handle) {
        desired.put(target, write);
        reconciler.reconcile(target, handle);
    }

    void onWriteResult(VolumeWrite write, WriteResult writeResult, Handle handle) {
        VolumeDecision.WriteTarget target = VolumeDecision.WriteTarget.of(write);
        if (!reconciler.onResult(target, write, writeResult, handle) || !desired.containsKey(target)) {
            return;
        }
        switch (writeResult.kind()) {
            case WRITTEN -> acceptedVersions.put(target, write.version());
            case NOT_FOUND -> notFound.put(target, writeResult.message());
            case CONFLICT, DENIED -> {}
        }
    }

    /** Why the object cannot be written now; empty if it can. */
    Optional<String> refusal(VolumeDecision.WriteTarget target) {
        return Optional.ofNullable(notFound.get(target)).or(() -> reconciler.denial(target));
    }

    /** Whether the observed object cannot show the effect of a write yet. */
    boolean awaitsEcho(VolumeDecision.WriteTarget target) {
        return reconciler.isWaiting(target);
    }

    /** Whether a write was accepted and a newer version of the object was observed since. */
    boolean wasAccepted(VolumeDecision.WriteTarget target) {
        return Optional.ofNullable(acceptedVersions.get(target))
                .filter(version -> !version.equals(observedVersion(target)))
                .isPresent();
    }

    /** No pending binding needs the write any more. A write in flight is not cancelled. */
    void cancel(VolumeDecision.WriteTarget target) {
        desired.remove(target);
        acceptedVersions.remove(target);
        notFound.remove(target);
        reconciler.markDirty(target);
    }

    /** The object was deleted. */
    void remove(VolumeDecision.WriteTarget target) {
        reconciler.remove(target);
    }

    /** See {@link Reconciler#forEachDue}. */
    boolean forEachDue(Handle handle, Consumer<VolumeDecision.WriteTarget> door) {
        return reconciler.forEachDue(handle, door);
    }

    void reconcile(VolumeDecision.WriteTarget target, Handle handle) {
        reconciler.reconcile(target, handle);
    }

    int retrying() {
        return reconciler.retryingCount();
    }

    Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }
}
