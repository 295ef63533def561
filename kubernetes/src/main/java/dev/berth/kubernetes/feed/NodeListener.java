package dev.berth.kubernetes.feed;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.decision.Fact;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.watch.Listener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Tells the engine of nodes. */
final class NodeListener implements Listener<Node> {
    private final Facts facts;

    private final List<Function<Node, Fact>> readers;

    /** @param readers what doors read on nodes besides */
    NodeListener(Facts facts, List<Function<Node, Fact>> readers) {
        this.facts = facts;
        this.readers = List.copyOf(readers);
    }

    @Override
    public void seen(String uid, Node view) {
        List<Fact> read = new ArrayList<>(1 + readers.size());
        read.add(new Fact.NodeSeen(view));
        readers.forEach(reader -> read.add(reader.apply(view)));
        facts.accept(read.size() == 1 ? read.get(0) : new Fact.Together(read));
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
    public void unreadable(Identity identity, String problem) {
        facts.unreadable(identity, problem);
    }
}
