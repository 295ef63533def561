package dev.berth.core.reconcile;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.time.Instants;
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
 * <ol>
 * <li>{@link #upsert} stores an observed object and updates its holds in the ledger.
 * <li>{@link #reconcile} sends the write that each changed object needs, as far as the turn has time. The {@link
 * Reconciler} awaits the echo of the write, and retries after a conflict, a denial or a timeout.
 * <li>{@link #report} records each message about an object once as an event while the message is true.
 * <li>{@link #remove} releases the holds of a deleted object and forgets the object.
 * </ol>
 *
 * <p>A door describes its objects by its {@link ObjectHandler}. The cost is O(changed objects): an object is reconciled
 * when it was observed or marked, when its write has a result, or when its time has come.
 *
 * @param <K> identifies an object
 * @param <S> the door's state of one object
 * @param <W> the door's writes
 */
public final class ObjectController<K extends Comparable<K>, S, W extends Effect.Write> {
    private final ObjectHandler<K, S, W> handler;
    private final Map<K, S> states = new HashMap<>();
    private final Reconciler<K, W> reconciler;
    private final Timers<K> checks = new Timers<>();
    private final HoldsByObject<K> holds = new HoldsByObject<>();
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

    /** Unordered. */
    public Collection<S> all() {
        return Collections.unmodifiableCollection(states.values());
    }

    public boolean isEmpty() {
        return states.isEmpty();
    }

    /**
     * The object was observed, or the door's state of it changed: its holds are put at once, its write follows later.
     */
    public void upsert(K key, S state, DoorHandle handle) {
        states.put(key, state);
        if (handler.isInvalid(state)) {
            invalid.add(key);
        } else {
            invalid.remove(key);
        }
        reconciler.markDirty(key);
        syncHolds(key, handler.desiredHolds(state, handle), handle);
    }

    /** The object was deleted. */
    public Optional<S> remove(K key, DoorHandle handle) {
        Optional<S> removed = Optional.ofNullable(states.remove(key));
        if (removed.isPresent()) {
            syncHolds(key, Set.of(), handle);
            reconciler.remove(key);
            checks.clear(key);
            invalid.remove(key);
        }
        reported.remove(key);
        return removed;
    }

    /** The object's write may have changed. Does nothing if the object is not known. */
    public void markDirty(K key) {
        if (states.containsKey(key)) {
            reconciler.markDirty(key);
        }
    }

    /** The object's holds may have changed. Does nothing if the object is not known. */
    public void syncHolds(K key, DoorHandle handle) {
        find(key).ifPresent(state -> syncHolds(key, handler.desiredHolds(state, handle), handle));
    }

    /** Releases the holds that are no longer desired, then puts the desired ones: one that is in the ledger costs a comparison. */
    private void syncHolds(K key, Collection<Hold> desired, DoorHandle handle) {
        holds.replace(key, desired).forEach(handle::releaseHold);
        desired.forEach(handle::putHold);
    }

    /**
     * Sends the writes of changed objects, sorted by key, as far as the turn has time. Call this only after all objects
     * are listed.
     *
     * @return whether the turn had time for all of them
     */
    public boolean reconcile(DoorHandle handle) {
        checks.expired(handle.now()).forEach(reconciler::markDirty);
        return reconciler.forEachDue(
                handle,
                key -> find(key).ifPresentOrElse(state -> reconcile(key, state, handle), () -> reconciler.remove(key)));
    }

    private void reconcile(K key, S state, DoorHandle handle) {
        handler.beforeWrite(state, handle);
        syncHolds(key, handler.desiredHolds(state, handle), handle);
        Optional<W> sent = reconciler.reconcile(key, handle);
        handler.afterWrite(state, sent, handle);
        Instant now = handle.now();
        checks.set(
                key,
                handler.nextCheck(state, handle).filter(at -> at.isAfter(now)).orElse(Instant.MAX));
    }

    /**
     * A write of an object has a result.
     *
     * @return whether it is the latest write of a known object
     */
    public boolean onWriteResult(W write, WriteResult writeResult, DoorHandle handle) {
        K key = handler.keyOf(write);
        return states.containsKey(key) && reconciler.onResult(key, write, writeResult, handle);
    }

    /** Neither the result nor the echo of the object's write is awaited any more. */
    public void clearWrite(K key) {
        reconciler.remove(key);
    }

    /** The latest write of the object, while it is in flight or accepted and not yet observed. */
    public Optional<W> unconfirmed(K key) {
        return reconciler.unconfirmed(key);
    }

    /** The API server's message, while a denied write waits for its retry. */
    public Optional<String> denial(K key) {
        return reconciler.denial(key);
    }

    /** Whether a write of the object was denied and none was accepted since. */
    public boolean isDenied(K key) {
        return reconciler.isDenied(key);
    }

    /** Records an event for each message that was not reported before; see {@link ReportedMessages#replace}. */
    public void report(K key, RecordEvent.EventTemplate kind, Collection<String> messages, DoorHandle handle) {
        find(key).ifPresent(state -> {
            EventTarget target = handler.eventTarget(state);
            reported.replace(key, kind.reason(), messages)
                    .forEach(message -> handle.write(new RecordEvent(target, kind, message)));
        });
    }

    /** The messages that events have reported about the objects. */
    public ReportedMessages<K> reported() {
        return reported;
    }

    public int retryingWrites() {
        return reconciler.retryingCount();
    }

    public int invalidObjects() {
        return invalid.size();
    }

    /** When {@link #reconcile} has work without any event. */
    public Optional<Instant> nextWake() {
        return Instants.earliest(checks.next(), reconciler.nextWake());
    }

    /** The objects as the reconciler reads them. */
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
