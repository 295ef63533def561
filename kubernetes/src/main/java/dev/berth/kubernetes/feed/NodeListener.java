package dev.berth.kubernetes.feed;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.decision.Fact;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.watch.Listener;
import java.util.Optional;

/** Tells the engine of nodes. */
final class NodeListener implements Listener<Node> {
    private final Facts facts;
    private final PodObserver observer;

    NodeListener(Facts facts, PodObserver observer) {
        this.facts = facts;
        this.observer = observer;
    }

    @Override
    public void seen(String uid, Node view) {
        facts.accept(new Fact.NodeSeen(view));
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
