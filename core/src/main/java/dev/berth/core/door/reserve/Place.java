package dev.berth.core.door.reserve;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;

/** Room on one node for one pod: what a Hold object has one or several of. */
public record Place(Guest pod, Host node, Resources size, List<HostPort> ports) {
    /** The pod that the place is for. The UID decides; the names are for people. */
    public record Guest(PodUid uid, String namespace, String name) {
        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** The node that the place is on. Another of its name is another node. */
    public record Host(NodeUid uid, String name) {}

    public Place {
        ports = ports.stream().sorted().distinct().toList();
    }

    static Place of(Pod pod, NodeState on) {
        return new Place(
                new Guest(pod.uid(), pod.namespace(), pod.name()),
                new Host(on.node().uid(), on.node().name()),
                sizeOf(pod),
                pod.shape().hostPorts());
    }

    /** With the slot that every pod takes. */
    static Resources sizeOf(Pod pod) {
        return pod.shape().requests().plus(Resources.of(ResourceName.PODS, 1));
    }
}
