package dev.berth.kubernetes.informer;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.fact.Fact;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.watch.ResourceEventHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Publishes nodes to the engine. */
final class NodeEventHandler implements ResourceEventHandler<Node> {
    private final FactPublisher factPublisher;

    private final List<Function<Node, Fact>> nodeReaders;

    /** @param readers create the additional facts of doors from a node */
    NodeEventHandler(FactPublisher factPublisher, List<Function<Node, Fact>> readers) {
        this.factPublisher = factPublisher;
        this.nodeReaders = List.copyOf(readers);
    }

    @Override
    public void onUpsert(String uid, Node view) {
        List<Fact> read = new ArrayList<>(1 + nodeReaders.size());
        read.add(new Fact.NodeUpserted(view));
        nodeReaders.forEach(reader -> read.add(reader.apply(view)));
        factPublisher.publish(read.size() == 1 ? read.get(0) : new Fact.Batch(read));
    }

    @Override
    public void onDelete(String uid, Optional<Node> last) {
        factPublisher.publish(new Fact.NodeDeleted(new NodeUid(uid)));
    }

    @Override
    public void onSynced() {
        factPublisher.publishSynced(FactSink.ListedKind.NODES);
    }

    @Override
    public void onUnreadable(ObjectReference objectReference, String problem) {
        factPublisher.publishUnreadable(objectReference, problem);
    }
}
