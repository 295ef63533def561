package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.Resources;
import java.util.List;

/** The resources for one pod on one node. A StoredHold object contains one or more places. */
public record ReservedPlace(PodIdentity pod, NodeIdentity node, Resources size, List<HostPort> ports) {
    /** The pod of the place. The UID decides; the names are for users. */
    public record PodIdentity(PodUid uid, String namespace, String name) {
        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** The node of the place. A node that was replaced under its name has another UID. */
    public record NodeIdentity(NodeUid uid, String name) {}

    public ReservedPlace {
        ports = ports.stream().sorted().distinct().toList();
    }

    static ReservedPlace of(Pod pod, NodeState nodeState) {
        return new ReservedPlace(
                new PodIdentity(pod.uid(), pod.namespace(), pod.name()),
                new NodeIdentity(nodeState.node().uid(), nodeState.node().name()),
                sizeFor(pod),
                pod.spec().hostPorts());
    }

    /** With one pod slot. */
    static Resources sizeFor(Pod pod) {
        return PodSlot.addTo(pod.spec().requests());
    }
}
