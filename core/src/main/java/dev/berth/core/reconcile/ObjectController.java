package dev.berth.core.reconcile;

import dev.berth.core.door.DoorContext;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.HoldId;
import dev.berth.core.queue.Instants;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The objects of one kind that a door reads and writes. The controller does what all doors do:
 *
 * <ol>
 *   <li>{@link #upsert} remembers an object as observed, and brings its holds in the ledger to what the object means.
 *   <li>{@link #reconcile} sends the write that each changed object needs, as far as the turn has time. The {@link
 *       Reconciler} awaits the echo of the write, and sends the write again after a conflict, a denial or a time-out.
 *   <li>{@link #report} records each message about an object once as an event while the message is true.
 *   <li>{@link #remove} releases the holds of a deleted object and forgets everything about the object.
 * </ol>
 *
 * <p>What an object means, a door says by its {@link ObjectHandler}. The cost is O(changed objects): an object is looked
 * at when it was observed, marked, answered, or when its time has come.
 *
 * @param <K> names an object
 * @param <S> what the door knows of one object
 * @param <W> the door's writes
 */
public final class ObjectController<K extends Comparable<K>, S, W extends Effect.Write> {
    private final ObjectHandler<K, S, W> handler;
    private final Map<K, S> states = new HashMap<>();
    private final Reconciler<K, W> reconciler;
    private final Timers<K> checks = new Timers<>();
    private final HoldSync<K> holds = new HoldSync<>();
    private final ReportedMessages<K> reported = new ReportedMessages<>();
    private final Set<K> invalid = new HashSet<>();

    public ObjectController(ObjectHandler<K, S, W> handler) {
        this.handler = handler;
        this.reconciler = new Reconciler<>(new HandlerWrites());
    }

    public Optional<S> find(K key) {
        return Optional.ofNullable(states.get(key));
    }

    public Optional<S> findByHold(HoldId hold) {
        return holds.findKey(hold).flatMap(this::find);
    }

    /** In no order. */
    public Collection<S> all() {
        return Collections.unmodifiableCollection(states.values());
    }

    public boolean isEmpty() {
        return states.isEmpty();
    }

    /** The object was observed, or what the door knows of it changed: its holds are put at once, its write follows later. */
    public void upsert(K key, S state, DoorContext doorContext) {
        states.put(key, state);
        if (handler.isInvalid(state)) {
            invalid.add(key);
        } else {
            invalid.remove(key);
        }
        reconciler.markDirty(key);
        holds.sync(key, handler.desiredHolds(state, doorContext), doorContext);
    }

    /** The object was deleted. */
    public Optional<S> remove(K key, DoorContext doorContext) {
        Optional<S> removed = Optional.ofNullable(states.remove(key));
        if (removed.isPresent()) {
            holds.sync(key, Set.of(), doorContext);
            reconciler.forget(key);
            checks.clear(key);
            invalid.remove(key);
        }
        reported.forget(key);
        return removed;
    }

    /** Something that the object's write depends on changed. Nothing happens for an object that is not known. */
    public void markDirty(K key) {
        if (states.containsKey(key)) {
            reconciler.markDirty(key);
        }
    }

    /** Something that the object's holds depend on changed. Nothing happens for an object that is not known. */
    public void syncHolds(K key, DoorContext doorContext) {
        find(key).ifPresent(state -> holds.sync(key, handler.desiredHolds(state, doorContext), doorContext));
    }

    /**
     * Sends the writes of changed objects, in the order of their keys, as far as the turn has time. To be called only after
     * everything was listed.
     *
     * @return whether the turn had time for all of them
     */
    public boolean reconcile(DoorContext doorContext) {
        checks.expired(doorContext.now()).forEach(reconciler::markDirty);
        return reconciler.forEachDue(
                doorContext,
                key -> find(key)
                        .ifPresentOrElse(state -> reconcile(key, state, doorContext), () -> reconciler.forget(key)));
    }

    private void reconcile(K key, S state, DoorContext doorContext) {
        handler.beforeWrite(state, doorContext);
        holds.sync(key, handler.desiredHolds(state, doorContext), doorContext);
        Optional<W> sent = reconciler.reconcile(key, doorContext);
        handler.afterWrite(state, sent, doorContext);
        Instant now = doorContext.now();
        checks.set(
                key, handler.nextCheck(state, now).filter(at -> at.isAfter(now)).orElse(Instant.MAX));
    }

    /**
     * The API server answered a write.
     *
     * @return whether it is the latest write of an object that is known
     */
    public boolean onWriteResult(W write, WriteResult writeResult, DoorContext doorContext) {
        K key = handler.keyOf(write);
        return states.containsKey(key) && reconciler.onResult(key, write, writeResult, doorContext);
    }

    /** The write of the object is given up: its answer and its echo are not awaited. */
    public void forgetWrite(K key) {
        reconciler.forget(key);
    }

    /** The API server's message, while a denied write waits for its next try. */
    public Optional<String> denial(K key) {
        return reconciler.denial(key);
    }

    /** Whether a write of the object was denied and none was accepted since. */
    public boolean isDenied(K key) {
        return reconciler.isDenied(key);
    }

    /** Records an event for each of these messages that was not reported before; see {@link ReportedMessages#replace}. */
    public void report(K key, RecordEvent.Kind kind, Collection<String> messages, DoorContext doorContext) {
        find(key).ifPresent(state -> {
            EventTarget target = handler.eventTarget(state);
            reported.replace(key, kind.reason(), messages)
                    .forEach(message -> doorContext.write(new RecordEvent(target, kind, message)));
        });
    }

    /** What events have reported of the objects; it is forgotten with the object. */
    public ReportedMessages<K> reported() {
        return reported;
    }

    public int retryingWrites() {
        return reconciler.retryingCount();
    }

    public int invalidObjects() {
        return invalid.size();
    }

    /** When {@link #reconcile} has something to do although nothing happens. */
    public Optional<Instant> nextWake() {
        return Instants.earliest(checks.next(), reconciler.nextWake());
    }

    /** The objects as the reconciler asks for them. */
    private final class HandlerWrites implements DesiredWrites<K, W> {
        private S get(K key) {
            return find(key).orElseThrow(() -> new IllegalStateException("object (%s) is not known".formatted(key)));
        }

        @Override
        public String observedVersion(K key) {
            return handler.observedVersion(get(key));
        }

        @Override
        public Optional<W> desiredWrite(K key, Handle handle) {
            return handler.desiredWrite(get(key), handle);
        }

        @Override
        public EventTarget eventTarget(W write) {
            return handler.eventTarget(get(handler.keyOf(write)));
        }

        @Override
        public String denialConsequence(W write) {
            return handler.denialConsequence(get(handler.keyOf(write)), write);
        }
    }
}
