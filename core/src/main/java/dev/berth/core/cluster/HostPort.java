package dev.berth.core.cluster;

/** A port of the node that a pod uses. The address {@code 0.0.0.0} means every address of the node. */
public record HostPort(String protocol, String address, int port) implements Comparable<HostPort> {
    public static final String ANY_ADDRESS = "0.0.0.0";

    public HostPort {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("hostPort (%d) must be from 1 to 65535".formatted(port));
        }
        protocol = protocol.isEmpty() ? "TCP" : protocol;
        address = address.isEmpty() ? ANY_ADDRESS : address;
    }

    /** The rule of conflicts. {@link HostPorts} and {@link HostPortSet} apply it to many ports. */
    public boolean conflictsWith(HostPort other) {
        return port == other.port
                && protocol.equals(other.protocol)
                && (address.equals(other.address) || isOnAnyAddress() || other.isOnAnyAddress());
    }

    boolean isOnAnyAddress() {
        return address.equals(ANY_ADDRESS);
    }

    @Override
    public int compareTo(HostPort other) {
        int byPort = Integer.compare(port, other.port);
        if (byPort != 0) {
            return byPort;
        }
        int byProtocol = protocol.compareTo(other.protocol);
        return byProtocol != 0 ? byProtocol : address.compareTo(other.address);
    }
}
