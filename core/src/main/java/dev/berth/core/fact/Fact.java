package dev.berth.core.fact;

import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.hold.ComponentId;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import java.util.List;

/** A change of an object, as the API server shows it. The latest fact about an object replaces the earlier ones. */
public sealed interface Fact {
    record NodeUpserted(Node node) implements Fact {}

    record NodeDeleted(NodeUid uid) implements Fact {}

    record PodUpserted(Pod pod) implements Fact {}

    record PodDeleted(PodUid uid) implements Fact {}

    /**
     * Every pod that was deleted since the last leader's durable version was reported. This comes before all pods are
     * listed.
     */
    record DeletionsReplayed() implements Fact {}

    record WorkloadUpserted(Workload workload) implements Fact {}

    record WorkloadDeleted(Workload.WorkloadKey key) implements Fact {}

    record NamespaceUpserted(Namespace namespace) implements Fact {}

    record NamespaceDeleted(String name) implements Fact {}

    record HoldUpserted(Hold hold) implements Fact {}

    record HoldDeleted(HoldId id) implements Fact {}

    /** The object is malformed. Its last well-formed version stays in effect. */
    record UnreadableObject(EventTarget target, String problem) implements Fact {}

    /** The changes of one write. They are applied together, so that nothing is decided between them. */
    record Batch(List<Fact> facts) implements Fact {
        public Batch {
            facts = List.copyOf(facts);
        }
    }

    /** A fact about an object that only one component reads. */
    non-sealed interface ComponentFact extends Fact {
        ComponentId component();
    }
}
