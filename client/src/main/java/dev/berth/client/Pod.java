package dev.berth.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the Reserve API needs of a pod: its identity and what it requests.
 *
 * @param phase as in {@code status.phase}
 * @param requests what all containers together request, by resource: a quantity as in Kubernetes, such as 500m or 1Gi
 */
public record Pod(
        String namespace,
        String name,
        String uid,
        String phase,
        Map<String, String> requests,
        List<HostPort> hostPorts) {
    public static final String PENDING = "Pending";

    /**
     * A port of the node that the pod uses.
     *
     * @param hostIp empty for all addresses of the node
     */
    public record HostPort(int port, String protocol, String hostIp) {
        public HostPort {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("hostPort (%d) must be from 1 to 65535".formatted(port));
            }
        }
    }

    public Pod {
        requests = Map.copyOf(requests);
        hostPorts = List.copyOf(hostPorts);
    }

    /** A pending pod that requests nothing yet. */
    public static Pod of(String namespace, String name, String uid) {
        return new Pod(namespace, name, uid, PENDING, Map.of(), List.of());
    }

    /**
     * The same pod with this request.
     *
     * @param quantity such as 500m or 1Gi
     */
    public Pod withRequest(String resource, String quantity) {
        Map<String, String> more = new LinkedHashMap<>(requests);
        more.put(resource, quantity);
        return new Pod(namespace, name, uid, phase, more, hostPorts);
    }

    public Pod withHostPort(HostPort port) {
        List<HostPort> more = new ArrayList<>(hostPorts);
        more.add(port);
        return new Pod(namespace, name, uid, phase, requests, more);
    }

    public Pod withPhase(String newPhase) {
        return new Pod(namespace, name, uid, newPhase, requests, hostPorts);
    }
}
