package dev.berth.core.cluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Host ports that are added one after the other. A port conflicts with the set where it conflicts with one of its ports,
 * see {@link HostPort#conflictsWith}. To add or to look up a port costs O(1).
 */
public final class HostPortSet {
    private final Map<Endpoint, Set<String>> addresses = new HashMap<>();

    private record Endpoint(String protocol, int port) {
        static Endpoint of(HostPort port) {
            return new Endpoint(port.protocol(), port.port());
        }
    }

    public void add(List<HostPort> ports) {
        for (HostPort port : ports) {
            addresses
                    .computeIfAbsent(Endpoint.of(port), any -> new HashSet<>(2))
                    .add(port.address());
        }
    }

    /** The first of the wanted ports that conflicts with a port of the set. */
    public Optional<HostPort> firstConflict(List<HostPort> wanted) {
        return wanted.stream().filter(this::conflictsWith).findFirst();
    }

    private boolean conflictsWith(HostPort port) {
        Set<String> used = addresses.getOrDefault(Endpoint.of(port), Set.of());
        return !used.isEmpty()
                && (port.isOnAnyAddress() || used.contains(port.address()) || used.contains(HostPort.ANY_ADDRESS));
    }
}
