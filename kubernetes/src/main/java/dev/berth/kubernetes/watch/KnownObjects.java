package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.projection.ReadResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a kind that the event handler knows and that are not deleted. Only an object that is known is reported as
 * deleted. An object that becomes unreadable stays as it was last read, so that an edit takes no promise away.
 */
final class KnownObjects<T> {
    private static final Logger LOG = LoggerFactory.getLogger(KnownObjects.class);

    /** What the event handler has to hear of an object. */
    enum Change {
        UPSERTED,
        /** The object exists, and nothing of it matters any more. */
        DELETED,
        UNREADABLE,
        NONE
    }

    private final WatchHealth health;
    private final Set<String> knownUids = new HashSet<>();
    /** Why each object that exists is unreadable, by its UID. */
    private final Map<String, String> problemsByUid = new HashMap<>();

    KnownObjects(WatchHealth health) {
        this.health = health;
    }

    boolean isEmpty() {
        return knownUids.isEmpty() && problemsByUid.isEmpty();
    }

    boolean has(String uid) {
        return knownUids.contains(uid);
    }

    /** The object was listed, added or changed. */
    Change apply(ReadResult<T> object) {
        if (!object.problem().isEmpty()) {
            return applyUnreadable(object) ? Change.UNREADABLE : Change.NONE;
        }
        if (object.view().isEmpty()) {
            return remove(object.uid()) ? Change.DELETED : Change.NONE;
        }
        clearProblem(object.uid());
        knownUids.add(object.uid());
        return Change.UPSERTED;
    }

    /** Returns whether the problem is new. An object without a UID cannot be told from others, so its problem is always new. */
    private boolean applyUnreadable(ReadResult<T> object) {
        health.countUnreadableEvent();
        boolean same =
                !object.uid().isEmpty() && object.problem().equals(problemsByUid.put(object.uid(), object.problem()));
        if (!same) {
            LOG.warn("{}", object.problem());
        }
        problemsByUid.remove("");
        health.setUnreadableObjects(problemsByUid.size());
        return !same;
    }

    private void clearProblem(String uid) {
        if (problemsByUid.remove(uid) != null) {
            health.setUnreadableObjects(problemsByUid.size());
        }
    }

    /** The object was deleted. Returns whether it was known. */
    boolean remove(String uid) {
        clearProblem(uid);
        return knownUids.remove(uid);
    }

    /** All objects but these were deleted. Returns those that were known, in order. */
    List<String> removeAllExcept(Set<String> found) {
        Set<String> all = new HashSet<>(knownUids);
        all.addAll(problemsByUid.keySet());
        all.removeAll(found);
        List<String> missing = new ArrayList<>(all);
        missing.sort(null);
        missing.removeIf(uid -> !remove(uid));
        return missing;
    }
}
