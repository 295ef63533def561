package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.http2.Cancellable;
import dev.berth.kubernetes.projection.ReadResult;
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
final class FakeListerWatcher implements ListerWatcher<FakeListerWatcher.FakeObject> {
    /** An object: its UID and the version at which it was written. */
    record FakeObject(String uid, long version) {}

    private record Event(boolean deleted, FakeObject fakeObject) {}

    private final TreeMap<String, FakeObject> fakeObjects = new TreeMap<>();
    private final List<Event> events = new ArrayList<>();
    private final Set<String> corrupt = new HashSet<>();
    private long version = 100;
    private long oldestVersion = 100;
    private final List<PendingList> pendingLists = new ArrayList<>();
    private final List<OpenWatch> watches = new ArrayList<>();
    private int pageSize = Integer.MAX_VALUE;
    private int listRequests;
    private final List<String> watchRequests = new ArrayList<>();
    private Optional<ListWatchFailure> nextFailure = Optional.empty();
    private Optional<ListWatchFailure> refusal = Optional.empty();

    void put(String uid) {
        FakeObject fakeObject = new FakeObject(uid, ++version);
        fakeObjects.put(uid, fakeObject);
        events.add(new Event(false, fakeObject));
    }

    /** An edit that cannot be read, nor can its deletion. */
    void corrupt(String uid) {
        corrupt.add(uid);
        put(uid);
    }

    void delete(String uid) {
        if (fakeObjects.remove(uid) != null) {
            events.add(new Event(true, new FakeObject(uid, ++version)));
        }
    }

    SortedMap<String, FakeObject> fakeObjects() {
        return fakeObjects;
    }

    long version() {
        return version;
    }

    int listRequests() {
        return listRequests;
    }

    List<String> watchRequests() {
        return watchRequests;
    }

    void setPageSize(int size) {
        pageSize = size;
    }

    /** What happened until now cannot be watched any more. */
    void compact() {
        oldestVersion = version;
    }

    void failNext(ListWatchFailure failure) {
        nextFailure = Optional.of(failure);
    }

    /** No watch is granted from now on. */
    void rejectWatches(ListWatchFailure failure) {
        refusal = Optional.of(failure);
    }

    void acceptWatches() {
        refusal = Optional.empty();
    }

    /** Ends all requests in flight. */
    void breakConnections() {
        List<PendingList> lists = List.copyOf(pendingLists);
        List<OpenWatch> open = List.copyOf(watches);
        pendingLists.clear();
        watches.clear();
        lists.forEach(list -> list.listener.onFailure(ListWatchFailure.retryable("connection lost")));
        open.forEach(watch -> watch.listener.onFailure(ListWatchFailure.retryable("connection lost")));
    }

    void failWatches(ListWatchFailure failure) {
        List<OpenWatch> open = List.copyOf(watches);
        watches.clear();
        open.forEach(watch -> watch.listener.onFailure(failure));
    }

    void endWatches() {
        List<OpenWatch> open = List.copyOf(watches);
        watches.clear();
        open.forEach(watch -> watch.listener.onEnd());
    }

    void bookmark() {
        List.copyOf(watches).forEach(watch -> {
            watch.catchUp();
            watch.listener.onBookmark(Long.toString(version));
        });
    }

    /** Delivers all pending responses. */
    void deliver() {
        deliver(Integer.MAX_VALUE);
    }

    /** Answers lists, while watches still wait for the server to agree. */
    void deliverLists() {
        List<PendingList> lists = List.copyOf(pendingLists);
        pendingLists.clear();
        lists.forEach(PendingList::deliver);
    }

    void deliver(int most) {
        deliverLists();
        List.copyOf(watches).forEach(watch -> watch.catchUp(most));
    }

    boolean isWatched() {
        return !watches.isEmpty();
    }

    @Override
    public Cancellable list(String continueToken, ListCallback<FakeObject> listener) {
        if (continueToken.isEmpty()) {
            listRequests++;
        }
        if (nextFailure.isPresent()) {
            ListWatchFailure failure = nextFailure.get();
            nextFailure = Optional.empty();
            listener.onFailure(failure);
            return () -> {};
        }
        PendingList pendingList = new PendingList(continueToken, listener);
        pendingLists.add(pendingList);
        return () -> pendingLists.remove(pendingList);
    }

    @Override
    public Cancellable watch(String from, WatchCallback<FakeObject> listener) {
        watchRequests.add(from);
        if (refusal.isPresent()) {
            listener.onFailure(refusal.get());
            return () -> {};
        }
        if (Long.parseLong(from) < oldestVersion) {
            listener.onFailure(new ListWatchFailure(
                    ListWatchFailure.FailureCause.EXPIRED, "too old resource version", Optional.empty()));
            return () -> {};
        }
        OpenWatch watch = new OpenWatch(Long.parseLong(from), listener);
        watches.add(watch);
        return () -> watches.remove(watch);
    }

    private ReadResult<FakeObject> toReadResult(FakeObject fakeObject) {
        if (corrupt.contains(fakeObject.uid)) {
            ObjectReference objectReference = new ObjectReference(
                    "v1", "Thing", "", fakeObject.uid, fakeObject.uid, Long.toString(fakeObject.version));
            return ReadResult.unreadable(objectReference, fakeObject.uid + " is corrupt");
        }
        return new ReadResult<>(fakeObject.uid, Long.toString(fakeObject.version), Optional.of(fakeObject), "");
    }

    private final class PendingList {
        private final String token;
        private final ListCallback<FakeObject> listener;

        private PendingList(String token, ListCallback<FakeObject> listener) {
            this.token = token;
            this.listener = listener;
        }

        /** The parts of a list are of one moment: the token carries the rest as it was then. */
        private void deliver() {
            List<FakeObject> rest = token.isEmpty() ? List.copyOf(fakeObjects.values()) : remaining();
            String at = token.isEmpty() ? Long.toString(version) : token.split("/", -1)[0];
            int count = Math.min(pageSize, rest.size());
            rest.subList(0, count).forEach(fakeObject -> listener.onItem(toReadResult(fakeObject)));
            if (count == rest.size()) {
                listener.onPageEnd(at, "");
            } else {
                StringBuilder next = new StringBuilder(at);
                rest.subList(count, rest.size())
                        .forEach(thing ->
                                next.append('/').append(thing.uid).append('@').append(thing.version));
                listener.onPageEnd(at, next.toString());
            }
        }

        private List<FakeObject> remaining() {
            List<FakeObject> rest = new ArrayList<>();
            for (String part : token.substring(token.indexOf('/') + 1).split("/", -1)) {
                String[] halves = part.split("@", -1);
                rest.add(new FakeObject(halves[0], Long.parseLong(halves[1])));
            }
            return rest;
        }
    }

    private final class OpenWatch {
        private long at;
        private boolean opened;
        private final WatchCallback<FakeObject> listener;

        private OpenWatch(long at, WatchCallback<FakeObject> listener) {
            this.at = at;
            this.listener = listener;
        }

        private void catchUp() {
            catchUp(Integer.MAX_VALUE);
        }

        private void catchUp(int most) {
            if (!opened) {
                opened = true;
                listener.onOpened();
            }
            int told = 0;
            for (Event event : List.copyOf(events)) {
                if (event.fakeObject.version > at && told < most && watches.contains(this)) {
                    at = event.fakeObject.version;
                    told++;
                    if (event.deleted) {
                        listener.onDeleted(toReadResult(event.fakeObject));
                    } else {
                        listener.onChanged(toReadResult(event.fakeObject));
                    }
                }
            }
        }
    }
}
