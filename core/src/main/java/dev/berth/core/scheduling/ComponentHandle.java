package dev.berth.core.scheduling;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.Door;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.LateReconciler;
import dev.berth.core.effect.Effect;
import dev.berth.core.framework.Component;
import dev.berth.core.framework.PreemptingRequest;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.HoldTrial;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.Removals;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.ClusterEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The handle of one component. Calls of one component do not overlap, so it has one handle for all of them. A plugin sees
 * no more of it than {@link dev.berth.core.framework.Handle}.
 */
final class ComponentHandle implements DoorHandle {
    private final Component<? super ComponentHandle> component;
    private final SchedulingContext schedulingContext;
    private final PlacementRequests placementRequests;
    private final WaitingBinds waitingBinds;
    private Instant now = Instant.MIN;
    private TimeBudget timeBudget = TimeBudget.UNBOUNDED;
    private boolean interrupted;

    ComponentHandle(
            Component<? super ComponentHandle> component,
            SchedulingContext schedulingContext,
            PlacementRequests placementRequests,
            WaitingBinds waitingBinds) {
        this.component = component;
        this.schedulingContext = schedulingContext;
        this.placementRequests = placementRequests;
        this.waitingBinds = waitingBinds;
    }

    Component<? super ComponentHandle> component() {
        return component;
    }

    /** The component, which must be a door. */
    Door door() {
        if (component instanceof Door door) {
            return door;
        }
        throw new IllegalStateException(
                "component (%s) is not a door".formatted(component.id().text()));
    }

    /** This handle, for a call at this time. */
    ComponentHandle atTime(Instant time) {
        now = time;
        return this;
    }

    /** Reconciles the component. Returns whether it had enough time. */
    boolean reconcile(Instant time, TimeBudget budget) {
        return runWithin(budget, () -> component.reconcile(atTime(time)));
    }

    /**
     * Reconciles the door after all components. Returns whether it had enough time.
     *
     * @param door the component
     * @param again runs if all components have to be reconciled again
     */
    boolean reconcileLast(LateReconciler door, Instant time, TimeBudget budget, Runnable again) {
        return runWithin(budget, () -> {
            if (door.reconcileLast(atTime(time))) {
                again.run();
            }
        });
    }

    private boolean runWithin(TimeBudget budget, Runnable work) {
        timeBudget = budget;
        interrupted = false;
        try {
            work.run();
            return !interrupted;
        } catch (RuntimeException bug) {
            throw new IllegalStateException(bugMessage(bug), bug);
        } finally {
            timeBudget = TimeBudget.UNBOUNDED;
        }
    }

    private String bugMessage(RuntimeException bug) {
        return component.id() instanceof Origin.DoorId door
                ? "door (%s) failed (%s). If this repeats at every start, disable the door with doors.disabled, and report the bug"
                        .formatted(door.text(), bug)
                : "plugin (%s) failed (%s). Report the bug"
                        .formatted(component.id().text(), bug);
    }

    @Override
    public boolean isOutOfTime() {
        interrupted |= timeBudget.isExhausted();
        return interrupted;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public LedgerView ledger() {
        return schedulingContext.ledger();
    }

    @Override
    public boolean isResponsibleFor(String schedulerName) {
        return schedulingContext.isResponsibleFor(schedulerName);
    }

    @Override
    public void putHold(Hold hold) {
        Ledger ledger = schedulingContext.ledger();
        Optional<Hold> before = ledger.hold(hold.id());
        requireOwn(hold);
        before.ifPresent(this::requireOwn);
        if (ledger.put(hold)) {
            schedulingContext.onHoldPut(before, hold, now);
        }
    }

    @Override
    public boolean putHoldIfFits(Hold hold, HoldId before) {
        Ledger ledger = schedulingContext.ledger();
        Optional<Hold> existing = ledger.hold(hold.id());
        Optional<Hold> replaced = before.equals(hold.id()) ? Optional.empty() : ledger.hold(before);
        requireOwn(hold);
        existing.ifPresent(this::requireOwn);
        replaced.ifPresent(this::requireOwn);
        if (existing.equals(Optional.of(hold))) {
            return true;
        }
        boolean fits = HoldTrial.putIfFits(ledger, hold, replaced);
        if (fits) {
            replaced.ifPresent(other -> schedulingContext.onHoldRemoved(other, now));
            schedulingContext.onHoldPut(existing, hold, now);
        }
        return fits;
    }

    private void requireOwn(Hold hold) {
        if (hold.origin().component() != component.id()) {
            throw new IllegalArgumentException(
                    "component (%s) must not change the hold of another component: %s".formatted(component.id(), hold));
        }
    }

    @Override
    public void releaseHold(HoldId hold) {
        schedulingContext.ledger().hold(hold).ifPresent(this::requireOwn);
        schedulingContext.remove(hold, now);
    }

    @Override
    public void write(Effect effect) {
        schedulingContext.write(effect);
    }

    @Override
    public void requestPlacement(Pod request) {
        placementRequests.put(this, request, now);
    }

    @Override
    public void requestPreemptingPlacement(PreemptingRequest request) {
        placementRequests.put(this, request, now);
    }

    @Override
    public Optional<PreemptingRequest> findPreemptingRequest(PodUid uid) {
        return placementRequests.findPreempting(uid);
    }

    @Override
    public void setNominatedNode(PodUid request, String node, List<Pod> victims) {
        placementRequests.setNominatedNode(request, node, victims, now);
    }

    @Override
    public void cancelNominatedNode(PodUid request) {
        placementRequests.cancelNominatedNode(request, now);
    }

    @Override
    public HoldUse holdUse(PodUid pod) {
        return placementRequests.has(pod) ? HoldUse.NONE : HoldUse.PREFERRED;
    }

    @Override
    public void requeue(PodUid pod) {
        schedulingContext.queue().requeue(pod, now);
    }

    @Override
    public void cancelPlacement(PodUid request) {
        placementRequests.cancel(request, now);
    }

    @Override
    public void notifyDevicesChanged() {
        schedulingContext.queue().onClusterEvent(new ClusterEvent.DevicesChanged(), now);
    }

    @Override
    public void notifyStorageChanged(ClusterEventKind clusterEventKind, Set<PodUid> pods) {
        schedulingContext.queue().onClusterEvent(new ClusterEvent.StorageChanged(clusterEventKind, pods), now);
    }

    @Override
    public Set<PodUid> requestsMounting(String namespace, String claim) {
        return placementRequests.findMounting(namespace, claim);
    }

    @Override
    public void releaseBind(PodUid pod) {
        waitingBinds.release(pod);
    }

    @Override
    public void failBind(PodUid pod, Optional<String> message) {
        waitingBinds.fail(pod, message, now);
    }

    @Override
    public boolean abortBind(PodUid pod, String message) {
        return waitingBinds.abort(pod, message, now);
    }

    @Override
    public List<Veto> vetoes(Pod pod, String node, HoldUse use) {
        return schedulingContext.vetoes(pod, node, use).orElse(List.of());
    }

    @Override
    public List<Veto> vetoesWithout(Pod pod, String node, Removals removals) {
        return schedulingContext
                .ledger()
                .simulateWithout(node, removals)
                .map(view -> schedulingContext
                        .placer()
                        .simulateVetoes(view, pod, view.node(node).orElseThrow(), holdUse(pod.uid())))
                .orElse(List.of());
    }

    @Override
    public Placement placeRequest(Pod request) {
        return schedulingContext.placer().place(request, HoldUse.NONE);
    }

    @Override
    public Optional<HoldId> holdUsedWithout(Pod pod, String node, Removals removals) {
        if (holdUse(pod.uid()) == HoldUse.NONE) {
            return Optional.empty();
        }
        return schedulingContext
                .ledger()
                .simulateWithout(node, removals)
                .flatMap(view -> schedulingContext
                        .placer()
                        .simulateHold(view, pod, view.node(node).orElseThrow()));
    }
}
