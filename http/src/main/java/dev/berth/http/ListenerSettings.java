package dev.berth.http;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;

/**
 * Where a listener listens, and its limits.
 *
 * @param port 0 takes any free one
 * @param threads how many requests are answered at once
 * @param mostBytes the largest body that is read
 * @param readWithin how long a caller may take to send a request, head and body together
 */
public record ListenerSettings(String address, int port, int threads, int mostBytes, Duration readWithin) {
    public static final String LOOPBACK = "127.0.0.1";
    private static final String LOOPBACK_6 = "[::1]";
    private static final int THREADS = 16;
    /** A group of a thousand pods with all that an API server says of them. */
    private static final int MOST_BYTES = 16 * 1024 * 1024;
    /** A request that is sent more slowly would keep a thread from others. */
    private static final Duration READ_WITHIN = Duration.ofSeconds(10);

    public ListenerSettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port (%d) must be from 0 to 65535".formatted(port));
        }
        if (address.isBlank()) {
            throw new IllegalArgumentException("address is empty. Maybe %s".formatted(LOOPBACK));
        }
        if (threads < 1 || mostBytes < 1) {
            throw new IllegalArgumentException(
                    "threads (%d) and mostBytes (%d) must be positive".formatted(threads, mostBytes));
        }
        if (readWithin.isNegative() || readWithin.isZero()) {
            throw new IllegalArgumentException("readWithin (%s) must be positive".formatted(readWithin));
        }
    }

    public static ListenerSettings at(String address, int port) {
        return new ListenerSettings(address, port, THREADS, MOST_BYTES, READ_WITHIN);
    }

    public ListenerSettings withMostBytes(int bytes) {
        return new ListenerSettings(address, port, threads, bytes, readWithin);
    }

    public ListenerSettings onPort(int other) {
        return new ListenerSettings(address, other, threads, mostBytes, readWithin);
    }

    public ListenerSettings withThreads(int count) {
        return new ListenerSettings(address, port, count, mostBytes, readWithin);
    }

    public ListenerSettings withReadWithin(Duration limit) {
        return new ListenerSettings(address, port, threads, mostBytes, limit);
    }

    /** Whether others than this machine can reach it. */
    public boolean open() {
        InetSocketAddress socket = socket();
        return socket.isUnresolved() || !socket.getAddress().isLoopbackAddress();
    }

    /** Whether the address is one of this machine's, so that nothing but the port can be in the way. */
    public boolean addressIsHere() {
        InetSocketAddress anyPort = onPort(0).socket();
        if (anyPort.isUnresolved()) {
            return false;
        }
        // Tried rather than looked up: no list of addresses has all of 127.0.0.0/8.
        try (ServerSocket trial = new ServerSocket()) {
            trial.bind(anyPort);
            return true;
        } catch (IOException elsewhere) {
            return false;
        }
    }

    /** The host by which this machine reaches it, as URLs have it. */
    String host() {
        InetSocketAddress socket = socket();
        if (socket.isUnresolved()) {
            return address;
        }
        InetAddress meant = socket.getAddress();
        boolean colons = address.indexOf(':') >= 0;
        boolean localName = meant.isLoopbackAddress() && !colons && !address.startsWith("127.");
        if (meant.isAnyLocalAddress() || localName) {
            return meant instanceof Inet6Address ? LOOPBACK_6 : LOOPBACK;
        }
        // A zone follows a percent sign, which URLs write as %25.
        return colons ? "[%s]".formatted(address.replaceAll("[\\[\\]]", "").replace("%", "%25")) : address;
    }

    InetSocketAddress socket() {
        return new InetSocketAddress(address, port);
    }
}
