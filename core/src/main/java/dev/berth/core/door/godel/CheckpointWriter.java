package dev.berth.core.door.godel;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.reconcile.DesiredWrites;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.time.Instants;
import java.time.Instant;
import java.util.Optional;

/** Writes the objects of the checkpoint in batches. The cost follows the number of changes, not the number of pods. */
final class CheckpointWriter implements DesiredWrites<Integer, CheckpointWrite> {
    static final String LOSS_WARNING =
            "If the pod is deleted while Berth is down and the API server restarts, no Reservation is created for it.";

    private final CheckpointLimits limits;
    private final CheckpointShards shards;
    private final Reconciler<Integer, CheckpointWrite> reconciler = new Reconciler<>(this);
    private Instant nextBatchAt = Instant.MIN;
    /** Whether the present change is the first one after a time without changes. */
    private boolean firstChangeSinceIdle;

    CheckpointWriter(CheckpointLimits limits, CheckpointShards shards) {
        this.limits = limits;
        this.shards = shards;
    }

    void markDirty(CheckpointShard shard) {
        firstChangeSinceIdle |= !reconciler.hasDirty();
        reconciler.markDirty(shard.index());
        shards.updateSpace(shard);
    }

    boolean isDenied(CheckpointShard shard) {
        return reconciler.isDenied(shard.index());
    }

    /** Sends the next batch if the interval since the last batch passed. */
    void reconcile(DoorHandle handle) {
        if (reconciler.due(handle.now()).isEmpty()) {
            return;
        }
        if (firstChangeSinceIdle && nextBatchAt.isBefore(handle.now())) {
            nextBatchAt = handle.now().plus(limits.batchInterval());
        } else if (!handle.now().isBefore(nextBatchAt)) {
            sendBatch(handle);
        }
        firstChangeSinceIdle = false;
    }

    private void sendBatch(DoorHandle handle) {
        int sent = 0;
        for (int index : reconciler.due(handle.now())) {
            if (sent == limits.maxWritesPerBatch()) {
                break;
            }
            if (reconciler.reconcile(index, handle).isPresent()) {
                shards.get(index).onSent();
                sent++;
            }
        }
        nextBatchAt = handle.now().plus(limits.batchInterval());
    }

    void onWriteResult(CheckpointShard shard, CheckpointWrite write, WriteResult writeResult, DoorHandle handle) {
        shard.onWriteResult(write, writeResult.kind());
        reconciler.onResult(shard.index(), write, explainMissingCrd(write, writeResult), handle);
    }

    /** The result of a write says what the API server has: no echo is awaited. */
    void completeIfUpToDate(CheckpointShard shard, DoorHandle handle) {
        if (shard.nextWrite().isEmpty()) {
            reconciler.reconcile(shard.index(), handle);
        }
    }

    /** A create that is not found means that the CRD is not installed: the event says how to install it. */
    private static WriteResult explainMissingCrd(CheckpointWrite write, WriteResult writeResult) {
        return writeResult.kind() == WriteResult.ResultKind.NOT_FOUND
                        && write instanceof CheckpointWrite.CreateCheckpoint
                ? new WriteResult(
                        WriteResult.ResultKind.DENIED,
                        writeResult.message() + ". Run \"berth install --crds-only | kubectl apply -f -\"")
                : writeResult;
    }

    int retrying() {
        return reconciler.retryingCount();
    }

    Optional<Instant> nextWake() {
        return Instants.earliest(
                reconciler.hasDirty() ? Optional.of(nextBatchAt) : Optional.empty(), reconciler.nextWake());
    }

    /** Only the leader writes the checkpoint, so a write needs no precondition. */
    @Override
    public String observedVersion(Integer index) {
        return "";
    }

    /** A patch contains what differs from the API server's version, so it waits for the result of the write before. */
    @Override
    public Optional<CheckpointWrite> desiredWrite(Integer index, Handle handle) {
        return reconciler.isInFlight(index)
                ? Optional.empty()
                : shards.get(index).nextWrite();
    }

    @Override
    public EventTarget eventTarget(CheckpointWrite write) {
        return firstPod(write)
                .map(pod -> EventTarget.of(Effect.PodRef.of(pod.toPod())))
                .orElseGet(() -> CheckpointObject.eventTarget(
                        write.name(),
                        CheckpointShard.indexOf(write.name())
                                .map(index -> shards.get(index).uid())
                                .orElse("")));
    }

    @Override
    public String denialConsequence(CheckpointWrite write) {
        return firstPod(write).isPresent() ? LOSS_WARNING : "Deleted pods stay in the checkpoint.";
    }

    private static Optional<CheckpointedPod> firstPod(CheckpointWrite write) {
        if (write instanceof CheckpointWrite.CreateCheckpoint createCheckpoint) {
            return createCheckpoint.pods().values().stream().findFirst();
        }
        if (write instanceof CheckpointWrite.PatchCheckpoint patchCheckpoint) {
            return patchCheckpoint.upserts().values().stream().findFirst();
        }
        if (write instanceof CheckpointWrite.DeleteCheckpoint) {
            return Optional.empty();
        }
        throw new IllegalStateException("unknown write (%s)".formatted(write));
    }
}
