package dev.berth.embedded.kubelet.fit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import java.util.List;

/** What a pod asks of its node. */
public final class PodRequests {
    private PodRequests() {}

    /**
     * The sum over containers and sidecars, or what initialization needs at its peak if that is more; amounts given for
     * the pod as a whole replace these; overhead comes on top.
     */
    public static Amounts of(ObjectNode pod) {
        Amounts running = Amounts.NONE;
        for (ObjectNode container : Json.objects(pod, "spec", "containers")) {
            running = running.plus(requests(container));
        }
        Amounts sidecars = Amounts.NONE;
        Amounts starting = Amounts.NONE;
        for (ObjectNode container : Json.objects(pod, "spec", "initContainers")) {
            Amounts own = requests(container);
            if (Json.text(container, "restartPolicy").equals("Always")) {
                sidecars = sidecars.plus(own);
                starting = starting.max(sidecars);
            } else {
                starting = starting.max(sidecars.plus(own));
            }
        }
        Amounts whole = running.plus(sidecars)
                .max(starting)
                .replacedBy(Amounts.of(Json.at(pod, "spec", "resources", "requests")));
        return whole.plus(Amounts.of(Json.at(pod, "spec", "overhead")));
    }

    private static Amounts requests(ObjectNode container) {
        return Amounts.of(Json.at(container, "resources", "requests"));
    }

    /** The ports that the pod takes on the node itself, as {@code protocol/address/port}. */
    public static List<HostPort> hostPorts(ObjectNode pod) {
        return Json.objects(pod, "spec", "containers").stream()
                .flatMap(container -> Json.objects(container, "ports").stream())
                .filter(port -> Json.number(port, 0, "hostPort") > 0)
                .map(HostPort::of)
                .toList();
    }

    /** A port on a node; the address 0.0.0.0 stands for all. */
    public record HostPort(String protocol, String address, int port) {
        private static final String ANY = "0.0.0.0";

        static HostPort of(ObjectNode node) {
            String protocol = Json.text(node, "protocol");
            String address = Json.text(node, "hostIP");
            return new HostPort(
                    protocol.isEmpty() ? "TCP" : protocol,
                    address.isEmpty() ? ANY : address,
                    Json.number(node, 0, "hostPort"));
        }

        boolean conflictsWith(HostPort other) {
            return port == other.port
                    && protocol.equals(other.protocol)
                    && (address.equals(other.address) || address.equals(ANY) || other.address.equals(ANY));
        }
    }
}
