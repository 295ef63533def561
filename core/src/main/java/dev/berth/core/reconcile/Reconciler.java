package dev.berth.core.reconcile;

import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.Announce;
import dev.berth.core.decision.Outcome;
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
 * often in a row that came to nothing; what should be and what was seen it asks of the door's {@link Source}.
 *
 * <ul>
 *   <li>A write that the API server took is awaited as an echo: a newer version, or a {@link Source#wanted} that is
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
    private static final Announce.Kind DENIED = Announce.Kind.warning("WriteDenied", "Writing");
    private static final Announce.Kind ALLOWED = Announce.Kind.normal("WriteAllowed", "Writing");

    private final Source<K, W> source;
    private final Policy policy;
    private final Map<K, Item<W>> items = new HashMap<>();
    private final TreeSet<K> dirty = new TreeSet<>();
    private final Timers<K> timers = new Timers<>();
    /** The objects of which a write waits for another try. */
    private final Set<K> retrying = new HashSet<>();

    public Reconciler(Source<K, W> source) {
        this(source, Policy.DEFAULT);
    }

    public Reconciler(Source<K, W> source, Policy policy) {
        this.source = source;
        this.policy = policy;
    }

    /** Something about the object changed: what was seen of it, or what it should be. */
    public void touch(K key) {
        dirty.add(key);
    }

    /** Nothing is done about the object before it is touched again or its wait is over. */
    public void postpone(K key) {
        dirty.remove(key);
    }

    /** The object is gone, or is none of the door's business any more. */
    public void forget(K key) {
        items.remove(key);
        dirty.remove(key);
        timers.clear(key);
        retrying.remove(key);
    }

    /** The objects that {@link #reconcile} has to look at, in order; those whose wait is over are among them. */
    public List<K> due(Instant now) {
        for (K key : timers.expired(now)) {
            Item<W> item = items.get(key);
            if (item != null) {
                item.timeOut();
            }
            dirty.add(key);
        }
        return new ArrayList<>(dirty);
    }

    /** Has written what is wanted of all objects that are due and may be written, as far as the turn has time. */
    public void reconcile(Desk desk) {
        forEachDue(desk, key -> reconcile(key, desk));
    }

    /**
     * Has the door look at the objects that are due, in order, as far as the turn has time. An object stays due until it
     * is reconciled, postponed or forgotten, so those that are left are looked at in the next turn.
     *
     * @return whether all of them were looked at
     */
    public boolean forEachDue(Desk desk, Consumer<K> door) {
        for (K key : due(desk.now())) {
            door.accept(key);
            if (desk.timeIsUp()) {
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
    public Optional<W> reconcile(K key, Desk desk) {
        dirty.remove(key);
        String version = source.version(key);
        Item<W> item = items.get(key);
        if (item != null) {
            item.seen(version);
        }
        Optional<W> wanted = source.wanted(key, desk);
        if (wanted.isEmpty()) {
            if (item != null) {
                item.satisfied();
                keep(key, item);
            }
            return wanted;
        }
        Item<W> next = item == null ? new Item<>(policy, version) : item;
        Optional<W> sent = wanted.filter(next::mayBeSent);
        sent.ifPresent(write -> {
            next.sent(write);
            desk.write(write);
        });
        keep(key, next);
        return sent;
    }

    /**
     * What became of a write.
     *
     * @return whether it is the latest of its object; else a newer one is under way and what became of this one shows in
     *     the object
     */
    public boolean answered(K key, W write, Outcome outcome, Desk desk) {
        Item<W> item = items.get(key);
        if (item == null || !item.isInFlight(write)) {
            return false;
        }
        item.seen(source.version(key));
        item.answered(outcome, desk.now());
        switch (outcome.kind()) {
            case WRITTEN -> {
                if (item.allowed()) {
                    desk.write(new Announce(
                            source.subject(write), ALLOWED, "The API server accepts the write that it denied before."));
                }
            }
            case GONE -> item.allowed();
            case CONFLICT -> {}
            case DENIED -> {
                if (item.tell()) {
                    desk.write(new Announce(source.subject(write), DENIED, note(write, outcome)));
                }
            }
        }
        keep(key, item);
        dirty.add(key);
        return true;
    }

    /** The API server's message, while a denied write waits for its next try. */
    public Optional<String> denial(K key) {
        Item<W> item = items.get(key);
        return item == null || item.state() != Item.State.BACKING_OFF ? Optional.empty() : item.denial();
    }

    /** Whether a write of the object was denied and none was taken since. */
    public boolean isDenied(K key) {
        Item<W> item = items.get(key);
        return item != null && item.denial().isPresent();
    }

    /** The latest write of the object, while it is under way or was taken and is not seen yet. */
    public Optional<W> unconfirmed(K key) {
        Item<W> item = items.get(key);
        return item == null ? Optional.empty() : item.unconfirmed();
    }

    /** Whether a write of the object is under way and not answered. */
    public boolean inFlight(K key) {
        Item<W> item = items.get(key);
        return item != null && item.state() == Item.State.IN_FLIGHT;
    }

    /** Whether a write of the object is not answered, or was answered and no newer version was seen since. */
    public boolean waits(K key) {
        Item<W> item = items.get(key);
        return item != null
                && (item.state() == Item.State.IN_FLIGHT
                        || (item.state() != Item.State.IDLE && item.version().equals(source.version(key))));
    }

    /** Whether there are objects that {@link #reconcile} has to look at, those whose wait ends later not counted. */
    public boolean isTouched() {
        return !dirty.isEmpty();
    }

    /** Whether nothing is touched and nothing is remembered. */
    public boolean isEmpty() {
        return items.isEmpty() && dirty.isEmpty();
    }

    /** When {@link #reconcile} has something to do although nothing happens. */
    public Optional<Instant> nextWake() {
        return timers.next();
    }

    /** How many objects have a write that failed and waits for another try. */
    public int retrying() {
        return retrying.size();
    }

    private void keep(K key, Item<W> item) {
        if (item.state() == Item.State.BACKING_OFF) {
            retrying.add(key);
        } else {
            retrying.remove(key);
        }
        if (item.isOver()) {
            items.remove(key);
            timers.clear(key);
        } else {
            items.put(key, item);
            timers.set(key, item.until());
        }
    }

    private String note(W write, Outcome outcome) {
        String request = outcome.request().isEmpty() ? "" : " (%s)".formatted(outcome.request());
        String consequence = source.consequence(write);
        return "The API server denied a write%s: %s. %sBerth tries again, %s."
                .formatted(
                        request,
                        withoutStop(outcome.message()),
                        consequence.isEmpty() ? "" : consequence + " ",
                        policy.pace());
    }

    private static String withoutStop(String message) {
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }
}
