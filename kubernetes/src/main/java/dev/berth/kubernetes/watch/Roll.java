package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.projection.Seen;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The objects of a kind that the listener was told of and that are not gone: nothing goes that was not seen. */
final class Roll<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Roll.class);

    private final Listener<T> listener;
    private final Set<String> known = new HashSet<>();

    Roll(Listener<T> listener) {
        this.listener = listener;
    }

    boolean isEmpty() {
        return known.isEmpty();
    }

    boolean has(String uid) {
        return known.contains(uid);
    }

    /** Tells of an object as it is now. */
    void tell(Seen<T> object) {
        if (object.view().isPresent()) {
            known.add(object.uid());
            listener.seen(object.uid(), object.view().get());
            return;
        }
        if (!object.problem().isEmpty()) {
            LOG.warn("{}", object.problem());
            listener.unreadable(object.problem());
        } else {
            // What mattered of it does not any more.
            gone(object.uid(), Optional.empty());
        }
    }

    /** Tells that an object is gone, if it was known, with its last state where there is one. */
    void gone(String uid, Optional<T> last) {
        if (known.remove(uid)) {
            listener.gone(uid, last);
        }
    }

    /** Tells that all are gone but these. */
    void keepOnly(Set<String> found) {
        List<String> missing = new ArrayList<>(known);
        missing.removeAll(found);
        missing.sort(null);
        missing.forEach(uid -> gone(uid, Optional.empty()));
    }
}
