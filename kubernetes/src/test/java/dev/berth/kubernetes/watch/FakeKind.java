package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.http2.Call;
import dev.berth.kubernetes.projection.Seen;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A kind of object on a server that remembers what happened, until it forgets. Nothing is delivered before
 * {@link #deliver}, so that a test can break things in between.
 */
final class FakeKind implements Source<FakeKind.Thing> {
    /** An object: its UID and the version at which it was written. */
    record Thing(String uid, long version) {}

    private record Event(boolean deleted, Thing thing) {}

    private final TreeMap<String, Thing> things = new TreeMap<>();
    private final List<Event> events = new ArrayList<>();
    private final Set<String> corrupt = new HashSet<>();
    private long version = 100;
    private long forgotten = 100;
    private final List<Listing> listings = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private int partSize = Integer.MAX_VALUE;
    private int listsAsked;
    private final List<String> watchesAsked = new ArrayList<>();
    private Optional<Failure> nextFailure = Optional.empty();
    private Optional<Failure> refusal = Optional.empty();

    void put(String uid) {
        Thing thing = new Thing(uid, ++version);
        things.put(uid, thing);
        events.add(new Event(false, thing));
    }

    /** An edit that cannot be read, nor can its deletion. */
    void corrupt(String uid) {
        corrupt.add(uid);
        put(uid);
    }

    void delete(String uid) {
        if (things.remove(uid) != null) {
            events.add(new Event(true, new Thing(uid, ++version)));
        }
    }

    SortedMap<String, Thing> things() {
        return things;
    }

    long version() {
        return version;
    }

    int listsAsked() {
        return listsAsked;
    }

    List<String> watchesAsked() {
        return watchesAsked;
    }

    void inPartsOf(int size) {
        partSize = size;
    }

    /** What happened until now cannot be watched any more. */
    void forget() {
        forgotten = version;
    }

    void failNext(Failure failure) {
        nextFailure = Optional.of(failure);
    }

    /** No watch is granted from now on. */
    void refuseWatches(Failure failure) {
        refusal = Optional.of(failure);
    }

    void grantWatches() {
        refusal = Optional.empty();
    }

    /** Ends all that is under way. */
    void breakOff() {
        List<Listing> lists = List.copyOf(listings);
        List<Watch> open = List.copyOf(watches);
        listings.clear();
        watches.clear();
        lists.forEach(list -> list.listener.failed(Failure.broken("connection lost")));
        open.forEach(watch -> watch.listener.failed(Failure.broken("connection lost")));
    }

    void failWatches(Failure failure) {
        List<Watch> open = List.copyOf(watches);
        watches.clear();
        open.forEach(watch -> watch.listener.failed(failure));
    }

    void endWatches() {
        List<Watch> open = List.copyOf(watches);
        watches.clear();
        open.forEach(watch -> watch.listener.end());
    }

    void bookmark() {
        List.copyOf(watches).forEach(watch -> {
            watch.catchUp();
            watch.listener.bookmark(Long.toString(version));
        });
    }

    /** Delivers all that is under way. */
    void deliver() {
        deliver(Integer.MAX_VALUE);
    }

    /** Answers lists, while watches still wait for the server to agree. */
    void deliverLists() {
        List<Listing> lists = List.copyOf(listings);
        listings.clear();
        lists.forEach(Listing::deliver);
    }

    void deliver(int most) {
        deliverLists();
        List.copyOf(watches).forEach(watch -> watch.catchUp(most));
    }

    boolean watched() {
        return !watches.isEmpty();
    }

    @Override
    public Call list(String continueToken, ListListener<Thing> listener) {
        if (continueToken.isEmpty()) {
            listsAsked++;
        }
        if (nextFailure.isPresent()) {
            Failure failure = nextFailure.get();
            nextFailure = Optional.empty();
            listener.failed(failure);
            return () -> {};
        }
        Listing listing = new Listing(continueToken, listener);
        listings.add(listing);
        return () -> listings.remove(listing);
    }

    @Override
    public Call watch(String from, WatchListener<Thing> listener) {
        watchesAsked.add(from);
        if (refusal.isPresent()) {
            listener.failed(refusal.get());
            return () -> {};
        }
        if (Long.parseLong(from) < forgotten) {
            listener.failed(new Failure(Failure.Kind.EXPIRED, "too old resource version", Optional.empty()));
            return () -> {};
        }
        Watch watch = new Watch(Long.parseLong(from), listener);
        watches.add(watch);
        return () -> watches.remove(watch);
    }

    private Seen<Thing> seen(Thing thing) {
        if (corrupt.contains(thing.uid)) {
            Identity identity = new Identity("v1", "Thing", "", thing.uid, thing.uid, Long.toString(thing.version));
            return Seen.unreadable(identity, thing.uid + " is corrupt");
        }
        return new Seen<>(thing.uid, Long.toString(thing.version), Optional.of(thing), "");
    }

    private final class Listing {
        private final String token;
        private final ListListener<Thing> listener;

        private Listing(String token, ListListener<Thing> listener) {
            this.token = token;
            this.listener = listener;
        }

        /** The parts of a list are of one moment: the token carries the rest as it was then. */
        private void deliver() {
            List<Thing> rest = token.isEmpty() ? List.copyOf(things.values()) : remembered();
            String at = token.isEmpty() ? Long.toString(version) : token.split("/", -1)[0];
            int count = Math.min(partSize, rest.size());
            rest.subList(0, count).forEach(thing -> listener.item(seen(thing)));
            if (count == rest.size()) {
                listener.end(at, "");
            } else {
                StringBuilder next = new StringBuilder(at);
                rest.subList(count, rest.size())
                        .forEach(thing ->
                                next.append('/').append(thing.uid).append('@').append(thing.version));
                listener.end(at, next.toString());
            }
        }

        private List<Thing> remembered() {
            List<Thing> rest = new ArrayList<>();
            for (String part : token.substring(token.indexOf('/') + 1).split("/", -1)) {
                String[] halves = part.split("@", -1);
                rest.add(new Thing(halves[0], Long.parseLong(halves[1])));
            }
            return rest;
        }
    }

    private final class Watch {
        private long at;
        private boolean opened;
        private final WatchListener<Thing> listener;

        private Watch(long at, WatchListener<Thing> listener) {
            this.at = at;
            this.listener = listener;
        }

        private void catchUp() {
            catchUp(Integer.MAX_VALUE);
        }

        private void catchUp(int most) {
            if (!opened) {
                opened = true;
                listener.opened();
            }
            int told = 0;
            for (Event event : List.copyOf(events)) {
                if (event.thing.version > at && told < most && watches.contains(this)) {
                    at = event.thing.version;
                    told++;
                    if (event.deleted) {
                        listener.deleted(seen(event.thing));
                    } else {
                        listener.changed(seen(event.thing));
                    }
                }
            }
        }
    }
}
