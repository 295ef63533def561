package dev.berth.kubernetes.informer;

import dev.berth.core.cluster.Namespace;
import dev.berth.core.fact.Fact;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.watch.ResourceEventHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Publishes namespaces to the engine, which identifies them by name and not by UID. */
final class NamespaceEventHandler implements ResourceEventHandler<Namespace> {
    private final FactPublisher factPublisher;
    private final Runnable onSynced;
    private final Map<String, String> namesByUid = new HashMap<>();

    NamespaceEventHandler(FactPublisher factPublisher, Runnable listed) {
        this.factPublisher = factPublisher;
        this.onSynced = listed;
    }

    @Override
    public void onUpsert(String uid, Namespace view) {
        namesByUid.put(uid, view.name());
        factPublisher.publish(new Fact.NamespaceUpserted(view));
    }

    @Override
    public void onDelete(String uid, Optional<Namespace> last) {
        String name = namesByUid.remove(uid);
        if (name != null) {
            factPublisher.publish(new Fact.NamespaceDeleted(name));
        }
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
