package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.projection.ReadResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a kind that the listener was told of and that are not gone: nothing goes that was not seen. An object that
 * cannot be read any more stays as it was last read: what was promised by it is not lost by an edit.
 */
final class KnownObjects<T> {
    private static final Logger LOG = LoggerFactory.getLogger(KnownObjects.class);

    private final ResourceEventHandler<T> resourceEventHandler;
    private final WatchHealth health;
    private final Set<String> knownUids = new HashSet<>();
    /** Why each object that is there cannot be read, by its UID. */
    private final Map<String, String> problemsByUid = new HashMap<>();

    KnownObjects(ResourceEventHandler<T> resourceEventHandler, WatchHealth health) {
        this.resourceEventHandler = resourceEventHandler;
        this.health = health;
    }

    boolean isEmpty() {
        return knownUids.isEmpty() && problemsByUid.isEmpty();
    }

    boolean has(String uid) {
        return knownUids.contains(uid);
    }

    /** Tells of an object as it is now. */
    void apply(ReadResult<T> object) {
        if (!object.problem().isEmpty()) {
            applyUnreadable(object);
            return;
        }
        clearProblem(object.uid());
        if (object.view().isPresent()) {
            knownUids.add(object.uid());
            resourceEventHandler.onUpsert(object.uid(), object.view().get());
        } else {
            // What mattered of it does not any more.
            remove(object.uid(), Optional.empty());
        }
    }

    /** One without a UID cannot be told from the others, and so is said each time that it comes. */
    private void applyUnreadable(ReadResult<T> object) {
        health.countUnreadableEvent();
        boolean same =
                !object.uid().isEmpty() && object.problem().equals(problemsByUid.put(object.uid(), object.problem()));
        if (!same) {
            LOG.warn("{}", object.problem());
            resourceEventHandler.onUnreadable(object.objectReference(), object.problem());
        }
        problemsByUid.remove("");
        health.setUnreadableObjects(problemsByUid.size());
    }

    private void clearProblem(String uid) {
        if (problemsByUid.remove(uid) != null) {
            health.setUnreadableObjects(problemsByUid.size());
        }
    }

    /** Tells that an object is gone, if it was known, with its last state where there is one. */
    void remove(String uid, Optional<T> last) {
        clearProblem(uid);
        if (knownUids.remove(uid)) {
            resourceEventHandler.onDelete(uid, last);
        }
    }

    /** Tells that all are gone but these. */
    void retainOnly(Set<String> found) {
        Set<String> all = new HashSet<>(knownUids);
        all.addAll(problemsByUid.keySet());
        all.removeAll(found);
        List<String> missing = new ArrayList<>(all);
        missing.sort(null);
        missing.forEach(uid -> remove(uid, Optional.empty()));
    }
}
