package dev.berth.kubernetes.feed;

import dev.berth.core.cluster.Workload;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.projection.JointProjection.Joint;
import dev.berth.kubernetes.watch.Listener;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Tells two listeners of the objects of one watch: each hears of those that matter to it, and of their end. */
final class JointListener<T> implements Listener<Joint<T>> {
    private final Part<Workload> workloads;
    private final Part<T> ofDoor;

    private record Part<V>(Listener<V> listener, Set<String> known) {
        Part(Listener<V> listener) {
            this(listener, new HashSet<>());
        }

        void tell(String uid, Optional<V> view) {
            if (view.isPresent()) {
                known.add(uid);
                listener.seen(uid, view.get());
            } else {
                gone(uid, Optional.empty());
            }
        }

        void gone(String uid, Optional<V> last) {
            if (known.remove(uid)) {
                listener.gone(uid, last);
            }
        }
    }

    JointListener(Listener<Workload> workloads, Listener<T> ofDoor) {
        this.workloads = new Part<>(workloads);
        this.ofDoor = new Part<>(ofDoor);
    }

    @Override
    public void seen(String uid, Joint<T> view) {
        workloads.tell(uid, view.workload());
        ofDoor.tell(uid, view.ofDoor());
    }

    @Override
    public void gone(String uid, Optional<Joint<T>> last) {
        workloads.gone(uid, last.flatMap(Joint::workload));
        ofDoor.gone(uid, last.flatMap(Joint::ofDoor));
    }

    @Override
    public void listed() {
        workloads.listener().listed();
        ofDoor.listener().listed();
    }

    /** It is one object, and one event on it says so. */
    @Override
    public void unreadable(Identity identity, String problem) {
        workloads.listener().unreadable(identity, problem);
    }
}
