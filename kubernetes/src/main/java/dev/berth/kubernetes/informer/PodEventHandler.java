package dev.berth.kubernetes.informer;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.fact.Fact;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.watch.ResourceEventHandler;
import java.util.Optional;

/** Publishes pods to the engine, and passes their scheduling conditions to the observer. */
final class PodEventHandler implements ResourceEventHandler<ObservedPod> {
    private final FactPublisher factPublisher;
    private final PodObserver observer;
    private volatile String resourceVersion = "";

    PodEventHandler(FactPublisher factPublisher, PodObserver observer) {
        this.factPublisher = factPublisher;
        this.observer = observer;
    }

    @Override
    public void onUpsert(String uid, ObservedPod view) {
        observer.onUpsert(view);
        factPublisher.publish(new Fact.PodUpserted(view.pod()));
    }

    @Override
    public void onDelete(String uid, Optional<ObservedPod> last) {
        PodUid pod = new PodUid(uid);
        observer.onDelete(pod);
        factPublisher.publish(new Fact.PodDeleted(pod));
    }

    @Override
    public void onSynced() {
        factPublisher.publishSynced(FactSink.ListedKind.PODS);
    }

    @Override
    public void onResourceVersion(String version) {
        resourceVersion = version;
    }

    String resourceVersion() {
        return resourceVersion;
    }

    @Override
    public void onUnreadable(ObjectReference objectReference, String problem) {
        factPublisher.publishUnreadable(objectReference, problem);
    }

    @Override
    public void onReplayComplete() {
        factPublisher.publish(new Fact.DeletionsReplayed());
    }

    @Override
    public void onReplayLost(String version) {
        observer.onReplayLost(version);
    }
}
