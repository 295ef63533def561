package dev.berth.core.nomination;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.framework.Plugin;
import dev.berth.core.framework.PodListener;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.reconcile.DesiredWrites;
import dev.berth.core.reconcile.Reconciler;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Brings {@code status.nominatedNodeName} of pods to what plugins want. Of several requests for a pod the latest counts. A
 * request ends when the pod shows the node, when the pod no longer waits for a bind, or when a plugin cancels it.
 */
public final class NominatedNodeWriter implements Plugin, PodListener<Handle>, DesiredWrites<PodUid, SetNominatedNode> {
    /** The wanted node by pod; empty to clear the field. */
    private final Map<PodUid, String> desiredNodes = new HashMap<>();

    private final Reconciler<PodUid, SetNominatedNode> reconciler = new Reconciler<>(this);
    private NominatedNodeListener listener = NominatedNodeListener.NONE;

    /** Replaces the listener. */
    public void setListener(NominatedNodeListener newListener) {
        listener = newListener;
    }

    @Override
    public Origin.PluginId id() {
        return Origin.PluginId.NOMINATED_NODES;
    }

    /**
     * Sets the pod's nominated node, as soon as that may be written.
     *
     * @param node empty to clear the field
     */
    public void setNominatedNode(PodUid pod, String node, Handle handle) {
        desiredNodes.put(pod, node);
        reconciler.reconcile(pod, handle);
        listener.onReconciled(pod);
    }

    /** The pod's nominated node may stay as it is. */
    public void cancel(PodUid pod) {
        if (desiredNodes.remove(pod) != null) {
            reconciler.markDirty(pod);
        }
    }

    @Override
    public boolean ignoresPlainPods() {
        return isEmpty();
    }

    @Override
    public void onPodUpsert(Optional<Pod> before, Pod pod, Optional<HoldId> usedHold, Handle handle) {
        if (isEmpty()) {
            return;
        }
        if (!pod.awaitsBinding()) {
            remove(pod.uid());
        } else if (desiredNodes.containsKey(pod.uid()) || reconciler.isWaiting(pod.uid())) {
            reconciler.markDirty(pod.uid());
        }
    }

    @Override
    public void onPodDelete(Pod pod, Optional<HoldId> usedHold, Handle handle) {
        remove(pod.uid());
    }

    private void remove(PodUid pod) {
        desiredNodes.remove(pod);
        reconciler.remove(pod);
    }

    @Override
    public void onWriteResult(Effect.Write write, WriteResult writeResult, Handle handle) {
        SetNominatedNode set = (SetNominatedNode) write;
        PodUid pod = set.pod().uid();
        reconciler.onResult(pod, set, writeResult, handle);
        listener.onReconciled(pod);
    }

    @Override
    public void reconcile(Handle handle) {
        reconciler.forEachDue(handle, pod -> {
            reconciler.reconcile(pod, handle);
            listener.onReconciled(pod);
        });
    }

    @Override
    public int retryingWrites() {
        return reconciler.retryingCount();
    }

    @Override
    public Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }

    /** The API server's message, while it denies writing the pod's nominated node. */
    public Optional<String> denial(PodUid pod) {
        return reconciler.denial(pod);
    }

    /** Whether the pod shows the node, and no write of another node is in flight. */
    public boolean isShown(Pod pod, String node) {
        boolean other = reconciler
                .unconfirmed(pod.uid())
                .filter(write -> !write.node().equals(node))
                .isPresent();
        return pod.nominatedNodeName().orElse("").equals(node) && !other;
    }

    /** Whether the pod's nominated node is being cleared. */
    public boolean isClearing(PodUid pod) {
        String node = desiredNodes.get(pod);
        return node != null && node.isEmpty();
    }

    private boolean isEmpty() {
        return desiredNodes.isEmpty() && reconciler.isEmpty();
    }

    /** The UID of the pod is the only precondition of the write. */
    @Override
    public String observedVersion(PodUid pod) {
        return "";
    }

    @Override
    public Optional<SetNominatedNode> desiredWrite(PodUid uid, Handle handle) {
        String node = desiredNodes.get(uid);
        if (node == null) {
            return Optional.empty();
        }
        Optional<Pod> pod = handle.ledger().pod(uid).filter(Pod::awaitsBinding);
        if (pod.isEmpty() || isShown(pod.get(), node)) {
            desiredNodes.remove(uid);
            return Optional.empty();
        }
        return pod.map(it -> new SetNominatedNode(PodRef.of(it), node));
    }

    @Override
    public EventTarget eventTarget(SetNominatedNode write) {
        return EventTarget.of(write.pod());
    }

    @Override
    public String denialConsequence(SetNominatedNode write) {
        return write.node().isEmpty()
                ? "status.nominatedNodeName still names a node that Berth does not hold for the pod."
                : "Node %s cannot be nominated for the pod.".formatted(write.node());
    }
}
