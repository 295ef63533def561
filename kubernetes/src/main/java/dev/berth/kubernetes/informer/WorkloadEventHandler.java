package dev.berth.kubernetes.informer;

import dev.berth.core.cluster.Workload;
import dev.berth.core.fact.Fact;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.watch.ResourceEventHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Publishes the workloads of one kind to the engine, which identifies them by name and not by UID. */
final class WorkloadEventHandler implements ResourceEventHandler<Workload> {
    private final FactPublisher factPublisher;
    private final Runnable onSynced;
    private final Map<String, Workload.WorkloadKey> keysByUid = new HashMap<>();

    WorkloadEventHandler(FactPublisher factPublisher, Runnable listed) {
        this.factPublisher = factPublisher;
        this.onSynced = listed;
    }

    @Override
    public void onUpsert(String uid, Workload view) {
        keysByUid.put(uid, view.key());
        factPublisher.publish(new Fact.WorkloadUpserted(view));
    }

    @Override
    public void onDelete(String uid, Optional<Workload> last) {
        Workload.WorkloadKey key = keysByUid.remove(uid);
        if (key != null) {
            factPublisher.publish(new Fact.WorkloadDeleted(key));
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
