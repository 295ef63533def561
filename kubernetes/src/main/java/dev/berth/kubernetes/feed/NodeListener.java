package dev.berth.kubernetes.feed;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.decision.Fact;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.watch.Listener;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Tells the engine of nodes. */
final class NodeListener implements Listener<Node> {
    private final Facts facts;
    private final PodObserver observer;

    private final List<Function<Node, Fact>> readers;

    /** @param readers what doors read on nodes besides */
    NodeListener(Facts facts, PodObserver observer, List<Function<Node, Fact>> readers) {
        this.facts = facts;
        this.observer = observer;
        this.readers = List.copyOf(readers);
    }

    @Override
    public void seen(String uid, Node view) {
        facts.accept(new Fact.NodeSeen(view));
        readers.forEach(reader -> facts.accept(reader.apply(view)));
    }

    @Override
    public void gone(String uid, Optional<Node> last) {
        facts.accept(new Fact.NodeGone(new NodeUid(uid)));
    }

    @Override
    public void listed() {
        facts.listed(FactSink.Source.NODES);
    }

    @Override
    public void unreadable(String problem) {
        observer.unreadable(problem);
    }
}
