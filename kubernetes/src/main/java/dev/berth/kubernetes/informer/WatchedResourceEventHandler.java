package dev.berth.kubernetes.informer;

import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.watch.ResourceEventHandler;
import java.util.Optional;

/** Publishes the objects of a door or plugin. */
final class WatchedResourceEventHandler<T> implements ResourceEventHandler<T> {
    private final WatchedResource<T> watchedResource;
    private final FactPublisher factPublisher;
    private final Runnable onSynced;

    WatchedResourceEventHandler(WatchedResource<T> kind, FactPublisher factPublisher, Runnable listed) {
        this.watchedResource = kind;
        this.factPublisher = factPublisher;
        this.onSynced = listed;
    }

    @Override
    public void onUpsert(String uid, T view) {
        factPublisher.publish(watchedResource.upsertFact().apply(view));
    }

    @Override
    public void onDelete(String uid, Optional<T> last) {
        factPublisher.publish(watchedResource.deleteFact().apply(uid));
    }

    @Override
    public void onSynced() {
        onSynced.run();
    }

    @Override
    public void onUnreadable(ObjectReference objectReference, String problem) {
        factPublisher.publishUnreadable(objectReference, problem);
    }
}
