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
 * The objects of a kind that the handler knows: only these can be deleted. An object that becomes malformed stays as it
 * was last read, so that an edit does not lose what it promised.
 */
final class KnownObjects<T> {
    private static final Logger LOG = LoggerFactory.getLogger(KnownObjects.class);

    private final ResourceEventHandler<T> resourceEventHandler;
    private final WatchHealth health;
    private final Set<String> knownUids = new HashSet<>();
    /** Why each existing object cannot be read, by its UID. */
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

    /** Passes on the present state of an object. */
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
            // Nothing of the object is used any more.
            remove(object.uid(), Optional.empty());
        }
    }

    /** Objects without a UID cannot be distinguished, so such a problem is reported each time. */
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

    /** Passes on the deletion of a known object, with its last state if there is one. */
    void remove(String uid, Optional<T> last) {
        clearProblem(uid);
        if (knownUids.remove(uid)) {
            resourceEventHandler.onDelete(uid, last);
        }
    }

    /** Passes on the deletion of all objects except for these. */
    void retainOnly(Set<String> found) {
        Set<String> all = new HashSet<>(knownUids);
        all.addAll(problemsByUid.keySet());
        all.removeAll(found);
        List<String> missing = new ArrayList<>(all);
        missing.sort(null);
        missing.forEach(uid -> remove(uid, Optional.empty()));
    }
}
