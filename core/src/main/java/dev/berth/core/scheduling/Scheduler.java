package dev.berth.core.scheduling;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.Door;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.DurabilityTracker;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.Component;
import dev.berth.core.framework.Plugin;
import dev.berth.core.framework.PostFilterResult;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.FilterState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.time.Instants;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Applies facts to the ledger and schedules pods. The scheduler has neither clock nor thread, and what must be written
 * is returned as {@link Effect}s. A placed pod is assumed at once. The watch confirms the assumption; a failed bind
 * ends it ({@link #onBindFailed}).
 */
public final class Scheduler {
    private static final int MAX_EXPIRED_PER_TURN = 1_024;

    private final Ledger ledger;
    private final Placer placer;
    private final SchedulingQueue queue;
    private final SchedulingContext schedulingContext;
    private final PlacementRequests placementRequests;
    private final ComponentDispatcher components;
    private final ExtensionPoints extensionPoints;
    private final QueueingHints queueingHints;
    private final EventHandlers eventHandlers;
    private final BindingCycle bindingCycle;
    private final AttemptTurnLimit turnLimit = new AttemptTurnLimit();

    public Scheduler(Ledger ledger, Placer placer, SchedulingQueue queue, Set<String> schedulerNames) {
        this(ledger, placer, queue, schedulerNames, List.of());
    }

    public Scheduler(
            Ledger ledger,
            Placer placer,
            SchedulingQueue queue,
            Set<String> schedulerNames,
            List<? extends Door> doors) {
        this(ledger, placer, queue, schedulerNames, doors, List.of());
    }

    /** @param schedulerNames the pods with these scheduler names are scheduled */
    public Scheduler(
            Ledger ledger,
            Placer placer,
            SchedulingQueue queue,
            Set<String> schedulerNames,
            List<? extends Door> doors,
            List<? extends Plugin> plugins) {
        this.ledger = ledger;
        this.placer = placer;
        this.queue = queue;
        this.schedulingContext = new SchedulingContext(ledger, placer, queue, schedulerNames);
        this.placementRequests = new PlacementRequests(schedulingContext);
        WaitingBinds waitingBinds = new WaitingBinds(schedulingContext, new WaitingBinds.FailureHandler() {
            @Override
            public List<Effect> onBindFailed(Effect.Bind bind, Optional<String> message, Instant now) {
                return Scheduler.this.onBindFailed(bind, message, now);
            }

            @Override
            public void onBindAborted(PodUid pod, Instant now) {
                Scheduler.this.extensionPoints.onBindAborted(pod, now);
            }
        });
        this.components = new ComponentDispatcher(doors, plugins, schedulingContext, placementRequests, waitingBinds);
        this.extensionPoints = new ExtensionPoints(components.handles());
        placementRequests.setListeners(components.preemptingRequestListeners());
        this.queueingHints = new QueueingHints(schedulingContext, placementRequests, extensionPoints);
        this.eventHandlers = new EventHandlers(schedulingContext, components);
        this.bindingCycle = new BindingCycle(schedulingContext, components, extensionPoints, waitingBinds);
    }

    /** Replaces the observer of attempts. */
    public void setObserver(AttemptObserver observer) {
        schedulingContext.setObserver(observer);
    }

    public Ledger ledger() {
        return ledger;
    }

    public SchedulingQueue queue() {
        return queue;
    }

    /** Applies a change that the API server shows. */
    public void apply(Fact fact, Instant now) {
        if (fact instanceof Fact.Batch batch) {
            batch.facts().forEach(part -> apply(part, now));
        } else if (fact instanceof Fact.ComponentFact own) {
            components.markDirty();
            components
                    .find(own.component(), now)
                    .ifPresent(handle -> handle.component().onFact(own, handle));
        } else {
            eventHandlers.apply(fact, now);
        }
    }

    /**
     * Calls a door from outside, as an HTTP request does.
     *
     * @throws IllegalStateException when the door is not enabled
     */
    public <T> T callDoor(Origin.DoorId name, Instant now, BiFunction<Door, DoorHandle, T> call) {
        ComponentHandle handle = components
                .find(name, now)
                .orElseThrow(() -> new IllegalStateException("door (%s) is not enabled".formatted(name)));
        components.markDirty();
        return call.apply(handle.door(), handle);
    }

    /** A write of a door or plugin has a result. */
    public void onWriteResult(Effect.Write write, WriteResult writeResult, Instant now) {
        components.onWriteResult(write, writeResult, now);
    }

    /**
     * Calls the doors and plugins to write their objects. All objects must be listed. Costs nothing if nothing changed.
     */
    public void reconcileComponents(Instant now) {
        reconcileComponents(now, TimeBudget.UNBOUNDED);
    }

    /**
     * The same within a time budget. While work is left, {@link #needsReconcile} is true.
     *
     * @return whether all of it was done
     */
    public boolean reconcileComponents(Instant now, TimeBudget timeBudget) {
        for (Hold hold : ledger.brokenDraws()) {
            schedulingContext.remove(hold.id(), now);
            components.onHoldEnded(hold, Component.EndReason.DRAW_BROKEN, now);
        }
        return components.reconcile(now, timeBudget);
    }

    /** The deleted pods whose consequences are not written yet: see {@link DurabilityTracker#podsPendingDurability}. */
    public Set<PodUid> podsPendingDurability() {
        return components.podsPendingDurability();
    }

    /** The effects that doors and plugins added since the last call. */
    public List<Effect> drainEffects() {
        return schedulingContext.drainEffects();
    }

    /** Ends back-offs and holds whose time has come. */
    public void advance(Instant now) {
        advance(now, TimeBudget.UNBOUNDED);
    }

    /** The same within a time budget. The holds that are left are due at once. */
    public void advance(Instant now, TimeBudget timeBudget) {
        int most = timeBudget == TimeBudget.UNBOUNDED ? Integer.MAX_VALUE : MAX_EXPIRED_PER_TURN;
        for (Hold hold : ledger.expiredAt(now, most)) {
            schedulingContext.remove(hold.id(), now);
            components.onHoldEnded(hold, Component.EndReason.DEADLINE, now);
            if (timeBudget.isExhausted()) {
                break;
            }
        }
        schedulingContext.messageRefresher().pollDue(now).forEach(pod -> queue.requeue(pod, now));
        queue.advance(now);
    }

    /** When {@link #advance} will next have work. */
    public Optional<Instant> nextWake() {
        return Instants.earliest(nextWakeWithoutComponents(), components.nextWake());
    }

    /** The same before all objects are listed, when doors and plugins have to wait. */
    public Optional<Instant> nextWakeWithoutComponents() {
        return Instants.earliest(
                schedulingContext.messageRefresher().nextWake(),
                Instants.earliest(queue.nextWake(), ledger.nextDeadline()));
    }

    /** The number of writes that failed and will be tried again. */
    public int retryingWrites() {
        return components.retryingWrites();
    }

    /** The number of the doors' objects that are malformed. Only Reservations are counted. */
    public int invalidObjects() {
        return components.invalidObjects();
    }

    /** Whether anything changed since the last {@link #reconcileComponents}. */
    public boolean needsReconcile() {
        return components.isDirty();
    }

    /**
     * Schedules the first pod of the queue.
     *
     * @return the effects for the pod; empty if no pod is active
     */
    public Optional<List<Effect>> scheduleOne(Instant now) {
        return scheduleOne(now, TimeBudget.UNBOUNDED);
    }

    /**
     * The same within a time budget. A pod that needs more time stays first, and the next call continues where this one
     * stopped.
     */
    public Optional<List<Effect>> scheduleOne(Instant now, TimeBudget timeBudget) {
        return queue.pop(now).map(uid -> {
            if (placementRequests.has(uid)) {
                components.markDirty();
                TimeBudget budget = turnLimit.budgetFor(uid, timeBudget);
                if (placementRequests.schedule(uid, extensionPoints, queueingHints, budget::isExhausted, now)) {
                    turnLimit.finished();
                }
                return List.of();
            }
            return ledger.pod(uid).map(pod -> schedule(pod, now, timeBudget)).orElseGet(() -> {
                queue.remove(uid);
                return List.of();
            });
        });
    }

    /** The state that the extender's filter reads on its own threads. */
    public FilterState filterState() {
        return placer.filterState(ledger.snapshot());
    }

    private List<Effect> schedule(Pod pod, Instant now, TimeBudget timeBudget) {
        Placement placement =
                placer.placeWithin(pod, HoldUse.PREFERRED, turnLimit.budgetFor(pod.uid(), timeBudget)::isExhausted);
        if (placement == Placement.Unfinished.INSTANCE) {
            queue.putBack(pod.uid());
            return List.of();
        }
        turnLimit.finished();
        if (placement instanceof Placement.Placed placed) {
            return bindingCycle.bind(pod, placed, now).map(List::<Effect>of).orElseGet(List::of);
        }
        Placement.Refused refused = (Placement.Refused) placement;
        PostFilterResult postFilterResult = extensionPoints.postFilter(pod, refused, now);
        if (pod.spec().reservations().ignored()) {
            // Its nomination may over-commit the node, which is reported at once.
            components.markDirty();
        }
        Set<ClusterEventKind> clusterEventKinds = EnumSet.copyOf(refused.resolvingEvents());
        clusterEventKinds.addAll(postFilterResult.possibleAfter());
        queueingHints.addUnschedulable(pod, clusterEventKinds, HoldUse.PREFERRED, now);
        schedulingContext.observer().onUnschedulable(pod, refused);
        return schedulingContext
                .unschedulableReporter()
                .report(
                        pod,
                        schedulingContext.unschedulableMessages().build(pod, refused, postFilterResult.message()),
                        now);
    }

    /**
     * Binds a pod of another scheduler to the node which that scheduler chose, if the node is feasible: with the hold that
     * the pod may use there and the devices that it claims. The bind is among {@link #drainEffects}. Only the caller gets
     * its result.
     */
    public ForeignBindResult bindForeignPod(PodUid uid, String node, Instant now) {
        return bindingCycle.bindForeignPod(uid, node, now);
    }

    /** The bind is written. */
    public List<Effect> onBound(Effect.Bind bind) {
        return bindingCycle.onBound(bind);
    }

    /**
     * The bind failed: the pod is forgotten, and is scheduled again after its back-off.
     *
     * @param message the message for the pod's status; empty for a conflict, which resolves itself
     */
    public List<Effect> onBindFailed(Effect.Bind bind, Optional<String> message, Instant now) {
        return bindingCycle.onBindFailed(bind, message, now);
    }

    /** The bind was not sent: the decision is undone. */
    public void onBindNotSent(Effect.Bind bind, Instant now) {
        bindingCycle.onBindNotSent(bind, now);
    }

    /** A condition or event could not be written and is not retried. It is reported again if it is still true later. */
    public void onReportDropped(Effect effect) {
        schedulingContext.onReportDropped(effect);
    }

    /** Whether the pod exists and is neither bound nor assumed. */
    public boolean isUnplaced(PodUid uid) {
        return ledger.pod(uid).isPresent() && ledger.nodeNameOf(uid).isEmpty();
    }
}
