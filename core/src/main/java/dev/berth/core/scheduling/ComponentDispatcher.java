package dev.berth.core.scheduling;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.DeletionReplayListener;
import dev.berth.core.door.Door;
import dev.berth.core.door.DurabilityTracker;
import dev.berth.core.door.InvalidObjectCounter;
import dev.berth.core.door.LateReconciler;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Component;
import dev.berth.core.framework.NodeListener;
import dev.berth.core.framework.Plugin;
import dev.berth.core.framework.PodListener;
import dev.berth.core.framework.PreemptingRequestListener;
import dev.berth.core.framework.WorkloadListener;
import dev.berth.core.framework.WriteResultListener;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.ComponentId;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.time.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Calls the doors and plugins that are registered: doors first, each group in the order of its ids. The listeners of
 * pods, nodes and so on are listed once, so that a pod costs nothing for components that do not listen to pods.
 */
final class ComponentDispatcher {
    private final SchedulingContext schedulingContext;
    private final Map<ComponentId, ComponentHandle> handles = new LinkedHashMap<>();
    private final List<Listener<PodListener<? super ComponentHandle>>> podListeners = new ArrayList<>();
    private final List<Listener<NodeListener<? super ComponentHandle>>> nodeListeners = new ArrayList<>();
    private final List<Listener<WorkloadListener<? super ComponentHandle>>> workloadListeners = new ArrayList<>();
    private final List<Listener<WriteResultListener<? super ComponentHandle>>> writeResultListeners = new ArrayList<>();
    private final List<Listener<PreemptingRequestListener<? super ComponentHandle>>> preemptingRequestListeners =
            new ArrayList<>();
    private final List<Listener<LateReconciler>> lateReconcilers = new ArrayList<>();
    private final List<DeletionReplayListener> deletionReplayListeners = new ArrayList<>();
    private final List<DurabilityTracker> durabilityTrackers = new ArrayList<>();
    private final List<InvalidObjectCounter> invalidObjectCounters = new ArrayList<>();
    private boolean dirty = true;
    private int firstToReconcile;

    record Listener<L>(L component, ComponentHandle handle) {}

    ComponentDispatcher(
            List<? extends Door> doors,
            List<? extends Plugin> plugins,
            SchedulingContext schedulingContext,
            PlacementRequests placementRequests,
            WaitingBinds waitingBinds) {
        this.schedulingContext = schedulingContext;
        List<Component<? super ComponentHandle>> inOrder = new ArrayList<>(doors);
        inOrder.addAll(plugins);
        inOrder.sort(Comparator.comparing(Component::id, ComponentId.ORDER));
        for (Component<? super ComponentHandle> component : inOrder) {
            register(component, new ComponentHandle(component, schedulingContext, placementRequests, waitingBinds));
        }
    }

    private void register(Component<? super ComponentHandle> component, ComponentHandle handle) {
        if (handles.put(component.id(), handle) != null) {
            throw new IllegalArgumentException("component (%s) is registered twice".formatted(component.id()));
        }
        if (component instanceof PodListener<? super ComponentHandle> listener) {
            podListeners.add(new Listener<>(listener, handle));
        }
        if (component instanceof NodeListener<? super ComponentHandle> listener) {
            nodeListeners.add(new Listener<>(listener, handle));
        }
        if (component instanceof WorkloadListener<? super ComponentHandle> listener) {
            workloadListeners.add(new Listener<>(listener, handle));
        }
        if (component instanceof WriteResultListener<? super ComponentHandle> listener) {
            writeResultListeners.add(new Listener<>(listener, handle));
        }
        if (component instanceof PreemptingRequestListener<? super ComponentHandle> listener) {
            preemptingRequestListeners.add(new Listener<>(listener, handle));
        }
        if (component instanceof LateReconciler door) {
            lateReconcilers.add(new Listener<>(door, handle));
        }
        if (component instanceof DeletionReplayListener door) {
            deletionReplayListeners.add(door);
        }
        if (component instanceof DurabilityTracker door) {
            durabilityTrackers.add(door);
        }
        if (component instanceof InvalidObjectCounter door) {
            invalidObjectCounters.add(door);
        }
    }

    /** The handles of all components, in the order in which they are called. */
    List<ComponentHandle> handles() {
        return List.copyOf(handles.values());
    }

    /** The handle of the component, if it is registered, for a call at this time. */
    Optional<ComponentHandle> find(ComponentId id, Instant now) {
        ComponentHandle handle = handles.get(id);
        return handle == null ? Optional.empty() : Optional.of(handle.atTime(now));
    }

    /** A change may require writes of components. */
    void markDirty() {
        dirty = true;
    }

    boolean isDirty() {
        return dirty;
    }

    /**
     * Reconciles all components. If the time runs out, the next call starts behind the component that was interrupted, so
     * that every component gets its turn.
     *
     * @return whether all components were reconciled
     */
    boolean reconcile(Instant now, TimeBudget timeBudget) {
        if (!dirty && nextWake().filter(wake -> !wake.isAfter(now)).isEmpty()) {
            return true;
        }
        schedulingContext.ledger().drainClaimChanges().forEach(hold -> onClaimsChanged(hold, now));
        dirty = false;
        if (!reconcileEach(now, timeBudget)) {
            return false;
        }
        if (!reconcileLast(now, timeBudget)) {
            dirty = true;
            return false;
        }
        boolean again = dirty;
        // A hold that was put last may change the draws of other holds: their components must be called before a pod is
        // scheduled.
        if (again && !reconcileEach(now, timeBudget)) {
            return false;
        }
        // These come last: a component may have put or released a hold in its call, and its write may end the hold.
        schedulingContext.reportInvalidAnnotations();
        dirty |= schedulingContext
                .overcommitmentReporter()
                .reportChanges(
                        hold -> findDoorOf(hold, now)
                                .flatMap(handle -> handle.door().findEventTarget(hold.id())),
                        schedulingContext::write);
        return true;
    }

    private boolean reconcileEach(Instant now, TimeBudget timeBudget) {
        List<ComponentHandle> all = handles();
        for (int i = 0; i < all.size(); i++) {
            boolean done = all.get((firstToReconcile + i) % all.size()).reconcile(now, timeBudget);
            if (!done) {
                firstToReconcile = (firstToReconcile + i + 1) % all.size();
                dirty = true;
                return false;
            }
        }
        return true;
    }

    private boolean reconcileLast(Instant now, TimeBudget timeBudget) {
        boolean done = true;
        for (Listener<LateReconciler> door : lateReconcilers) {
            done &= door.handle.reconcileLast(door.component, now, timeBudget, this::markDirty);
        }
        return done;
    }

    /** In the order in which they are called. */
    List<Listener<PodListener<? super ComponentHandle>>> podListeners() {
        return podListeners;
    }

    List<Listener<PreemptingRequestListener<? super ComponentHandle>>> preemptingRequestListeners() {
        return preemptingRequestListeners;
    }

    void onWorkloadUpsert(Workload workload, Instant now) {
        workloadListeners.forEach(
                listener -> listener.component.onWorkloadUpsert(workload, listener.handle.atTime(now)));
    }

    void onWorkloadDelete(Workload.WorkloadKey key, Instant now) {
        workloadListeners.forEach(listener -> listener.component.onWorkloadDelete(key, listener.handle.atTime(now)));
    }

    void onDeletionsReplayed() {
        deletionReplayListeners.forEach(DeletionReplayListener::onDeletionsReplayed);
    }

    void onNodeUpsert(Node node, Instant now) {
        for (Listener<NodeListener<? super ComponentHandle>> listener : nodeListeners) {
            listener.component.onNodeUpsert(node, listener.handle.atTime(now));
        }
    }

    void onNodeDelete(Node node, Instant now) {
        for (Listener<NodeListener<? super ComponentHandle>> listener : nodeListeners) {
            listener.component.onNodeDelete(node, listener.handle.atTime(now));
        }
    }

    void onClaimsChanged(Optional<Claim> claim, Instant now) {
        if (claim.isPresent()) {
            onClaimsChanged(claim.get().hold(), now);
        }
    }

    void onClaimsChanged(HoldId id, Instant now) {
        markDirty();
        schedulingContext
                .ledger()
                .hold(id)
                .flatMap(hold -> findDoorOf(hold, now))
                .ifPresent(handle -> handle.door().onClaimsChanged(id, handle));
    }

    void onHoldEnded(Hold hold, Component.EndReason reason, Instant now) {
        markDirty();
        find(hold.origin().component(), now)
                .ifPresent(handle -> handle.component().onHoldEnded(hold, reason, handle));
    }

    /** The component that wrote is called first. */
    void onWriteResult(Effect.Write write, WriteResult writeResult, Instant now) {
        markDirty();
        find(write.component(), now).ifPresent(handle -> handle.component().onWriteResult(write, writeResult, handle));
        for (Listener<WriteResultListener<? super ComponentHandle>> listener : writeResultListeners) {
            if (listener.component.id() != write.component()) {
                listener.component.onOtherWriteResult(write, writeResult, listener.handle.atTime(now));
            }
        }
    }

    private Optional<ComponentHandle> findDoorOf(Hold hold, Instant now) {
        return find(hold.origin().component(), now).filter(handle -> handle.component() instanceof Door);
    }

    Set<PodUid> podsPendingDurability() {
        Set<PodUid> pods = new TreeSet<>();
        durabilityTrackers.forEach(door -> pods.addAll(door.podsPendingDurability()));
        return pods;
    }

    int retryingWrites() {
        int all = 0;
        for (ComponentHandle handle : handles.values()) {
            all += handle.component().retryingWrites();
        }
        return all;
    }

    int invalidObjects() {
        int all = 0;
        for (InvalidObjectCounter door : invalidObjectCounters) {
            all += door.invalidObjects();
        }
        return all;
    }

    Optional<Instant> nextWake() {
        Optional<Instant> next = Optional.empty();
        for (ComponentHandle handle : handles.values()) {
            next = Instants.earliest(next, handle.component().nextWake());
        }
        return next;
    }
}
