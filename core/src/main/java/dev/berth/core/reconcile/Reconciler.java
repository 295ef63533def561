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
 * Writes a component's objects until they are as desired. For each object it tracks the write in flight, the latest
 * result and the number of failures in a row. The component's {@link DesiredWrites} has the observed and the desired
 * state.
 * <ul>
 * <li>After an accepted write the reconciler awaits the echo: a newer version, or an empty {@link
 * DesiredWrites#desiredWrite} if writes have no version. If the echo does not come in time, the object is reconciled
 * again.
 * <li>After a conflict the write is retried as soon as a newer version is observed, else after a back-off.
 * <li>If the object does not exist, the reconciler waits as for an echo: the watch is usually about to show the
 * deletion.
 * <li>A denied write is retried forever, after a back-off or when a newer version is observed. An event reports each
 * message once, and a further event reports that a write was accepted again.
 * </ul>
 *
 * <p>The cost is O(changes): a key is processed when it is marked dirty, when its write has a result, or when its wait
 * times out.
 *
 * @param <K> identifies an object
 * @param <W> the component's writes
 */
public final class Reconciler<K extends Comparable<K>, W extends Effect.Write> {
    private static final RecordEvent.EventTemplate DENIED = RecordEvent.EventTemplate.warning("WriteDenied", "Writing");
    private static final RecordEvent.EventTemplate ALLOWED =
            RecordEvent.EventTemplate.normal("WriteAllowed", "Writing");

    private final DesiredWrites<K, W> desiredWrites;
    private final RetryPolicy policy;
    private final Map<K, WriteTracker<W>> trackers = new HashMap<>();
    private final TreeSet<K> dirty = new TreeSet<>();
    private final Timers<K> timers = new Timers<>();
    /** The objects with a write that waits for a retry. */
    private final Set<K> retrying = new HashSet<>();

    public Reconciler(DesiredWrites<K, W> desiredWrites) {
        this(desiredWrites, RetryPolicy.DEFAULT);
    }

    public Reconciler(DesiredWrites<K, W> desiredWrites, RetryPolicy policy) {
        this.desiredWrites = desiredWrites;
        this.policy = policy;
    }

    /** The observed or the desired state of the object changed. */
    public void markDirty(K key) {
        dirty.add(key);
    }

    /** Skips the object until it is marked dirty again or its wait is over. */
    public void postpone(K key) {
        dirty.remove(key);
    }

    /** The object is deleted, or does not belong to the component any more. */
    public void remove(K key) {
        trackers.remove(key);
        dirty.remove(key);
        timers.clear(key);
        retrying.remove(key);
    }

    /** The objects that {@link #reconcile} has to process, sorted, including those whose wait is over. */
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

    /** Sends the desired writes of all due objects that may be written, as far as the turn has time. */
    public void reconcile(Handle handle) {
        forEachDue(handle, key -> reconcile(key, handle));
    }

    /**
     * Calls the component for the due objects, sorted, as far as the turn has time. An object stays due until it is
     * reconciled, postponed or forgotten. So the remaining objects are processed in the next turn.
     *
     * @return whether all of them were processed
     */
    public boolean forEachDue(Handle handle, Consumer<K> work) {
        for (K key : due(handle.now())) {
            work.accept(key);
            if (handle.isOutOfTime()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Sends the desired write of this object, if it may be written now.
     *
     * @return the write that is sent
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
     * A write has a result.
     *
     * @return whether it is the latest write of its object; otherwise a newer write is in flight, and the effect of
     * this one shows in the object
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

    /** The API server's message, while a denied write waits for its retry. */
    public Optional<String> denial(K key) {
        WriteTracker<W> tracker = trackers.get(key);
        return tracker == null || tracker.state() != WriteTracker.WriteState.BACKING_OFF
                ? Optional.empty()
                : tracker.denial();
    }

    /** Whether a write of the object was denied and none was accepted since. */
    public boolean isDenied(K key) {
        WriteTracker<W> tracker = trackers.get(key);
        return tracker != null && tracker.denial().isPresent();
    }

    /** The latest write of the object, while it is in flight or accepted and not yet observed. */
    public Optional<W> unconfirmed(K key) {
        WriteTracker<W> tracker = trackers.get(key);
        return tracker == null ? Optional.empty() : tracker.unconfirmed();
    }

    /** Whether a write of the object is in flight without a result. */
    public boolean isInFlight(K key) {
        WriteTracker<W> tracker = trackers.get(key);
        return tracker != null && tracker.state() == WriteTracker.WriteState.IN_FLIGHT;
    }

    /** Whether a write of the object has no result, or no newer version was observed since its result. */
    public boolean isWaiting(K key) {
        WriteTracker<W> tracker = trackers.get(key);
        return tracker != null
                && (tracker.state() == WriteTracker.WriteState.IN_FLIGHT
                        || (tracker.state() != WriteTracker.WriteState.IDLE
                                && tracker.version().equals(desiredWrites.observedVersion(key))));
    }

    /** Whether there are objects to {@link #reconcile} now; objects that wait do not count. */
    public boolean hasDirty() {
        return !dirty.isEmpty();
    }

    /** Whether nothing is dirty and nothing is tracked. */
    public boolean isEmpty() {
        return trackers.isEmpty() && dirty.isEmpty();
    }

    /** When {@link #reconcile} has work without any event. */
    public Optional<Instant> nextWake() {
        return timers.next();
    }

    /** The number of objects with a write that failed and waits for a retry. */
    public int retryingCount() {
        return retrying.size();
    }

    private void store(K key, WriteTracker<W> tracker) {
        if (tracker.state() == WriteTracker.WriteState.BACKING_OFF) {
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
