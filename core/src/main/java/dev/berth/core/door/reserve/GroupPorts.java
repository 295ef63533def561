package dev.berth.core.door.reserve;

import dev.berth.core.cluster.HostPort;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The host ports that pods of one group take on one node. To add a port, or to look for it, costs the same however many there are. */
final class GroupPorts {
    private final Map<Endpoint, Set<String>> addresses = new HashMap<>();

    private record Endpoint(String protocol, int port) {
        static Endpoint of(HostPort port) {
            return new Endpoint(port.protocol(), port.port());
        }
    }

    void add(List<HostPort> ports) {
        for (HostPort port : ports) {
            addresses
                    .computeIfAbsent(Endpoint.of(port), any -> new HashSet<>(2))
                    .add(port.address());
        }
    }

    /** The first of the ports that conflicts with one of these. */
    Optional<HostPort> firstConflict(List<HostPort> wanted) {
        return wanted.stream().filter(this::conflictsWith).findFirst();
    }

    private boolean conflictsWith(HostPort port) {
        Set<String> there = addresses.getOrDefault(Endpoint.of(port), Set.of());
        return !there.isEmpty()
                && (port.address().equals(HostPort.ANY_ADDRESS)
                        || there.contains(port.address())
                        || there.contains(HostPort.ANY_ADDRESS));
    }
}
