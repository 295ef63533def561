package dev.berth.sandbox.kubelet.podadmission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.List;

/** The resources and host ports that a pod requests. */
public final class PodResourceRequests {
    private PodResourceRequests() {}

    /**
     * The sum over containers and sidecars, or what initialization needs at its peak if that is more; amounts given for
     * the pod as a whole replace these; overhead comes on top.
     */
    public static ResourceList compute(ObjectNode pod) {
        ResourceList running = ResourceList.NONE;
        for (ObjectNode container : NestedFields.objects(pod, "spec", "containers")) {
            running = running.plus(requests(container));
        }
        ResourceList sidecars = ResourceList.NONE;
        ResourceList starting = ResourceList.NONE;
        for (ObjectNode container : NestedFields.objects(pod, "spec", "initContainers")) {
            ResourceList own = requests(container);
            if (NestedFields.text(container, "restartPolicy").equals("Always")) {
                sidecars = sidecars.plus(own);
                starting = starting.max(sidecars);
            } else {
                starting = starting.max(sidecars.plus(own));
            }
        }
        ResourceList whole = running.plus(sidecars)
                .max(starting)
                .overriddenBy(ResourceList.of(NestedFields.at(pod, "spec", "resources", "requests")));
        return whole.plus(ResourceList.of(NestedFields.at(pod, "spec", "overhead")));
    }

    private static ResourceList requests(ObjectNode container) {
        return ResourceList.of(NestedFields.at(container, "resources", "requests"));
    }

    /** The host ports of the pod, as {@code protocol/address/port}. */
    public static List<HostPort> hostPorts(ObjectNode pod) {
        return NestedFields.objects(pod, "spec", "containers").stream()
                .flatMap(container -> NestedFields.objects(container, "ports").stream())
                .filter(port -> NestedFields.intValue(port, 0, "hostPort") > 0)
                .map(HostPort::of)
                .toList();
    }

    /** A port on a node; the address 0.0.0.0 stands for all. */
    public record HostPort(String protocol, String address, int port) {
        private static final String ANY = "0.0.0.0";

        static HostPort of(ObjectNode node) {
            String protocol = NestedFields.text(node, "protocol");
            String address = NestedFields.text(node, "hostIP");
            return new HostPort(
                    protocol.isEmpty() ? "TCP" : protocol,
                    address.isEmpty() ? ANY : address,
                    NestedFields.intValue(node, 0, "hostPort"));
        }

        boolean conflictsWith(HostPort other) {
            return port == other.port
                    && protocol.equals(other.protocol)
                    && (address.equals(other.address) || address.equals(ANY) || other.address.equals(ANY));
        }
    }
}
