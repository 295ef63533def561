package dev.berth.core.decision;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import java.util.List;

/** Something that the API server shows. The latest fact about an object replaces the ones before. */
public sealed interface Fact {
    record NodeSeen(Node node) implements Fact {}

    record NodeGone(NodeUid uid) implements Fact {}

    record PodSeen(Pod pod) implements Fact {}

    record PodGone(PodUid uid) implements Fact {}

    /** Every pod that was deleted since the last leader's durable version has been told, before all pods were listed. */
    record DeletionsReplayed() implements Fact {}

    record WorkloadSeen(Workload workload) implements Fact {}

    record WorkloadGone(Workload.Key key) implements Fact {}

    record NamespaceSeen(Namespace namespace) implements Fact {}

    record NamespaceGone(String name) implements Fact {}

    record HoldSeen(Hold hold) implements Fact {}

    record HoldGone(HoldId id) implements Fact {}

    /** There is an object that cannot be read. What was known of it before stays so. */
    record Unreadable(Subject subject, String problem) implements Fact {}

    /** What one write changed: taken in as a whole, so that nothing is decided between its parts. */
    record Together(List<Fact> facts) implements Fact {
        public Together {
            facts = List.copyOf(facts);
        }
    }

    /** News of an object that one door alone knows. */
    non-sealed interface OfDoor extends Fact {
        Origin.Door door();
    }
}
