package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.projection.Seen;
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
final class Roll<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Roll.class);

    private final Listener<T> listener;
    private final WatchHealth health;
    private final Set<String> known = new HashSet<>();
    /** Why each object that is there cannot be read, by its UID. */
    private final Map<String, String> unreadable = new HashMap<>();

    Roll(Listener<T> listener, WatchHealth health) {
        this.listener = listener;
        this.health = health;
    }

    boolean isEmpty() {
        return known.isEmpty() && unreadable.isEmpty();
    }

    boolean has(String uid) {
        return known.contains(uid);
    }

    /** Tells of an object as it is now. */
    void tell(Seen<T> object) {
        if (!object.problem().isEmpty()) {
            problem(object);
            return;
        }
        readable(object.uid());
        if (object.view().isPresent()) {
            known.add(object.uid());
            listener.seen(object.uid(), object.view().get());
        } else {
            // What mattered of it does not any more.
            gone(object.uid(), Optional.empty());
        }
    }

    /** One without a UID cannot be told from the others, and so is said each time that it comes. */
    private void problem(Seen<T> object) {
        health.unreadableEvent();
        boolean same =
                !object.uid().isEmpty() && object.problem().equals(unreadable.put(object.uid(), object.problem()));
        if (!same) {
            LOG.warn("{}", object.problem());
            listener.unreadable(object.identity(), object.problem());
        }
        unreadable.remove("");
        health.unreadable(unreadable.size());
    }

    private void readable(String uid) {
        if (unreadable.remove(uid) != null) {
            health.unreadable(unreadable.size());
        }
    }

    /** Tells that an object is gone, if it was known, with its last state where there is one. */
    void gone(String uid, Optional<T> last) {
        readable(uid);
        if (known.remove(uid)) {
            listener.gone(uid, last);
        }
    }

    /** Tells that all are gone but these. */
    void keepOnly(Set<String> found) {
        Set<String> all = new HashSet<>(known);
        all.addAll(unreadable.keySet());
        all.removeAll(found);
        List<String> missing = new ArrayList<>(all);
        missing.sort(null);
        missing.forEach(uid -> gone(uid, Optional.empty()));
    }
}
