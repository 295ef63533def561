package dev.berth.kubernetes.informer;

import dev.berth.core.cluster.Workload;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.projection.SharedWorkloadProjection.SharedView;
import dev.berth.kubernetes.watch.ResourceEventHandler;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Passes the objects of one watch to two handlers: each receives the objects that it reads, and their deletions. */
final class SharedWorkloadEventHandler<T> implements ResourceEventHandler<SharedView<T>> {
    private final Subscriber<Workload> workloadSubscriber;
    private final Subscriber<T> componentSubscriber;

    private record Subscriber<V>(ResourceEventHandler<V> handler, Set<String> knownUids) {
        Subscriber(ResourceEventHandler<V> resourceEventHandler) {
            this(resourceEventHandler, new HashSet<>());
        }

        void onView(String uid, Optional<V> view) {
            if (view.isPresent()) {
                knownUids.add(uid);
                handler.onUpsert(uid, view.get());
            } else {
                onDelete(uid, Optional.empty());
            }
        }

        void onDelete(String uid, Optional<V> last) {
            if (knownUids.remove(uid)) {
                handler.onDelete(uid, last);
            }
        }
    }

    SharedWorkloadEventHandler(ResourceEventHandler<Workload> workloads, ResourceEventHandler<T> ofComponent) {
        this.workloadSubscriber = new Subscriber<>(workloads);
        this.componentSubscriber = new Subscriber<>(ofComponent);
    }

    @Override
    public void onUpsert(String uid, SharedView<T> view) {
        workloadSubscriber.onView(uid, view.workload());
        componentSubscriber.onView(uid, view.componentView());
    }

    @Override
    public void onDelete(String uid, Optional<SharedView<T>> last) {
        workloadSubscriber.onDelete(uid, last.flatMap(SharedView::workload));
        componentSubscriber.onDelete(uid, last.flatMap(SharedView::componentView));
    }

    @Override
    public void onSynced() {
        workloadSubscriber.handler().onSynced();
        componentSubscriber.handler().onSynced();
    }

    /** It is one object, so one event is enough. */
    @Override
    public void onUnreadable(ObjectReference objectReference, String problem) {
        workloadSubscriber.handler().onUnreadable(objectReference, problem);
    }
}
