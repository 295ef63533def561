package dev.berth.core.reconcile;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Brings a door's objects to what they should be. Of each object it knows what is in flight, what was answered and how
 * often in a row that came to nothing; what should be and what was seen it asks of the door's {@link DesiredWrites}.
 *
 * <ul>
 *   <li>A write that the API server took is awaited as an echo: a newer version, or a {@link DesiredWrites#desiredWrite} that is
 *       empty where writes have no version. An echo that does not come in time has the object looked at again.
 *   <li>A conflict is followed by another try as soon as a newer version is seen, else after a back-off.
 *   <li>A missing object is awaited like an echo: mostly the watch is about to say so.
 *   <li>A denied write is tried again for ever, after a back-off or when a newer version is seen. An event says so once
 *       for each message, and another one when a write is taken again.
 * </ul>
 *
 * <p>The cost follows what changed: keys are looked at when they are touched, answered or timed out.
 *
 * @param <K> names an object
 * @param <W> the door's writes
 */
public final class Reconciler<K extends Comparable<K>, W extends Effect.Write> {
    private static final RecordEvent.Kind DENIED = RecordEvent.Kind.warning("WriteDenied", "Writing");
    private static final RecordEvent.Kind ALLOWED = RecordEvent.Kind.normal("WriteAllowed", "Writing");

    private final DesiredWrites<K, W> desiredWrites;
    private final RetryPolicy policy;
    private final Map<K, WriteTracker<W>> trackers = new HashMap<>();
    private final TreeSet<K> dirty = new TreeSet<>();
    private final Timers<K> timers = new Timers<>();
    /** The objects of which a write waits for another try. */
    private final Set<K> retrying = new HashSet<>();

    public Reconciler(DesiredWrites<K, W> desiredWrites) {
        this(desiredWrites, RetryPolicy.DEFAULT);
    }

    public Reconciler(DesiredWrites<K, W> desiredWrites, RetryPolicy policy) {
        this.desiredWrites = desiredWrites;
        this.policy = policy;
    }

    /** Something about the object changed: what was seen of it, or what it should be. */
    public void markDirty(K key) {
        dirty.add(key);
    }

    /** Nothing is done about the object before it is touched again or its wait is over. */
    public void postpone(K key) {
        dirty.remove(key);
    }

    /** The object is gone, or is none of the door's business any more. */
    public void forget(K key) {
        trackers.remove(key);
        dirty.remove(key);
        timers.clear(key);
        retrying.remove(key);
    }

    /** The objects that {@link #reconcile} has to look at, in order; those whose wait is over are among them. */
    public List<K> due(Instant now) {
        for (K key : timers.expired(now)) {
            WriteTracker<W> tracker = trackers.get(key);
            if (tracker != null) {
                tracker.onTimeout();
            }
            dirty.add(key);
        }
        return new ArrayList<>(dirty);
    }

    /** Has written what is wanted of all objects that are due and may be written, as far as the turn has time. */
    public void reconcile(Handle handle) {
        forEachDue(handle, key -> reconcile(key, handle));
    }

    /**
     * Has the door look at the objects that are due, in order, as far as the turn has time. An object stays due until it
     * is reconciled, postponed or forgotten, so those that are left are looked at in the next turn.
     *
     * @return whether all of them were looked at
     */
    public boolean forEachDue(Handle handle, Consumer<K> door) {
        for (K key : due(handle.now())) {
            door.accept(key);
            if (handle.isOutOfTime()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Has written what is wanted of this object, if it may be written now.
     *
     * @return what is sent
     */
    public Optional<W> reconcile(K key, Handle handle) {
        dirty.remove(key);
        String version = desiredWrites.observedVersion(key);
        WriteTracker<W> tracker = trackers.get(key);
        if (tracker != null) {
            tracker.onVersionSeen(version);
        }
        Optional<W> desired = desiredWrites.desiredWrite(key, handle);
        if (desired.isEmpty()) {
            if (tracker != null) {
                tracker.onNothingDesired();
                store(key, tracker);
            }
            return desired;
        }
        WriteTracker<W> next = tracker == null ? new WriteTracker<>(policy, version) : tracker;
        Optional<W> sent = desired.filter(next::mayBeSent);
        sent.ifPresent(write -> {
            next.onSent(write);
            handle.write(write);
        });
        store(key, next);
        return sent;
    }

    /**
     * What became of a write.
     *
     * @return whether it is the latest of its object; else a newer one is under way and what became of this one shows in
     *     the object
     */
    public boolean onResult(K key, W write, WriteResult writeResult, Handle handle) {
        WriteTracker<W> tracker = trackers.get(key);
        if (tracker == null || !tracker.isInFlight(write)) {
            return false;
        }
        tracker.onVersionSeen(desiredWrites.observedVersion(key));
        tracker.onResult(writeResult, handle.now());
        switch (writeResult.kind()) {
            case WRITTEN -> {
                if (tracker.clearDenial()) {
                    handle.write(new RecordEvent(
                            desiredWrites.eventTarget(write),
                            ALLOWED,
                            "The API server accepts the write that it denied before."));
                }
            }
            case NOT_FOUND -> tracker.clearDenial();
            case CONFLICT -> {}
            case DENIED -> {
                if (tracker.markDenialReported()) {
                    handle.write(
                            new RecordEvent(desiredWrites.eventTarget(write), DENIED, denialNote(write, writeResult)));
                }
            }
        }
        store(key, tracker);
        dirty.add(key);
        return true;
    }

    /** The API server's message, while a denied write waits for its next try. */
    public Optional<String> denial(K key) {
        WriteTracker<W> tracker = trackers.get(key);
        return tracker == null || tracker.state() != WriteTracker.State.BACKING_OFF
                ? Optional.empty()
                : tracker.denial();
    }

    /** Whether a write of the object was denied and none was taken since. */
    public boolean isDenied(K key) {
        WriteTracker<W> tracker = trackers.get(key);
        return tracker != null && tracker.denial().isPresent();
    }

    /** The latest write of the object, while it is under way or was taken and is not seen yet. */
    public Optional<W> unconfirmed(K key) {
        WriteTracker<W> tracker = trackers.get(key);
        return tracker == null ? Optional.empty() : tracker.unconfirmed();
    }

    /** Whether a write of the object is under way and not answered. */
    public boolean isInFlight(K key) {
        WriteTracker<W> tracker = trackers.get(key);
        return tracker != null && tracker.state() == WriteTracker.State.IN_FLIGHT;
    }

    /** Whether a write of the object is not answered, or was answered and no newer version was seen since. */
    public boolean isWaiting(K key) {
        WriteTracker<W> tracker = trackers.get(key);
        return tracker != null
                && (tracker.state() == WriteTracker.State.IN_FLIGHT
                        || (tracker.state() != WriteTracker.State.IDLE
                                && tracker.version().equals(desiredWrites.observedVersion(key))));
    }

    /** Whether there are objects that {@link #reconcile} has to look at, those whose wait ends later not counted. */
    public boolean hasDirty() {
        return !dirty.isEmpty();
    }

    /** Whether nothing is touched and nothing is remembered. */
    public boolean isEmpty() {
        return trackers.isEmpty() && dirty.isEmpty();
    }

    /** When {@link #reconcile} has something to do although nothing happens. */
    public Optional<Instant> nextWake() {
        return timers.next();
    }

    /** How many objects have a write that failed and waits for another try. */
    public int retryingCount() {
        return retrying.size();
    }

    private void store(K key, WriteTracker<W> tracker) {
        if (tracker.state() == WriteTracker.State.BACKING_OFF) {
            retrying.add(key);
        } else {
            retrying.remove(key);
        }
        if (tracker.isForgettable()) {
            trackers.remove(key);
            timers.clear(key);
        } else {
            trackers.put(key, tracker);
            timers.set(key, tracker.waitUntil());
        }
    }

    private String denialNote(W write, WriteResult writeResult) {
        String request = writeResult.request().isEmpty() ? "" : " (%s)".formatted(writeResult.request());
        String consequence = desiredWrites.denialConsequence(write);
        return "The API server denied a write%s: %s. %sBerth tries again, %s."
                .formatted(
                        request,
                        withoutTrailingPeriod(writeResult.message()),
                        consequence.isEmpty() ? "" : consequence + " ",
                        policy.retryIntervalText());
    }

    private static String withoutTrailingPeriod(String message) {
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }
}
