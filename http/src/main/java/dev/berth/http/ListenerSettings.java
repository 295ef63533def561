package dev.berth.http;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;

/**
 * The address and the limits of a listener.
 *
 * @param port 0 means any free port
 * @param threads how many requests are handled at once
 * @param maxBodyBytes the largest body that is read
 * @param readTimeout how long a caller may take to send a request, including its body
 */
public record ListenerSettings(String address, int port, int threads, int maxBodyBytes, Duration readTimeout) {
    public static final String LOOPBACK = "127.0.0.1";
    private static final String LOOPBACK_6 = "[::1]";
    private static final int DEFAULT_THREADS = 16;
    /** Enough for a group of a thousand pods with all their fields. */
    private static final int DEFAULT_MAX_BODY_BYTES = 16 * 1024 * 1024;
    /** A slower request would occupy a thread for too long. */
    private static final Duration DEFAULT_READ_TIMEOUT = Duration.ofSeconds(10);

    public ListenerSettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port (%d) must be from 0 to 65535".formatted(port));
        }
        if (address.isBlank()) {
            throw new IllegalArgumentException("bindAddress is empty. Maybe %s".formatted(LOOPBACK));
        }
        if (threads < 1 || maxBodyBytes < 1) {
            throw new IllegalArgumentException(
                    "threads (%d) and mostBytes (%d) must be positive".formatted(threads, maxBodyBytes));
        }
        if (readTimeout.isNegative() || readTimeout.isZero()) {
            throw new IllegalArgumentException("readTimeout (%s) must be positive".formatted(readTimeout));
        }
    }

    public static ListenerSettings of(String address, int port) {
        return new ListenerSettings(address, port, DEFAULT_THREADS, DEFAULT_MAX_BODY_BYTES, DEFAULT_READ_TIMEOUT);
    }

    public ListenerSettings withMaxBodyBytes(int bytes) {
        return new ListenerSettings(address, port, threads, bytes, readTimeout);
    }

    public ListenerSettings withPort(int other) {
        return new ListenerSettings(address, other, threads, maxBodyBytes, readTimeout);
    }

    public ListenerSettings withThreads(int count) {
        return new ListenerSettings(address, port, count, maxBodyBytes, readTimeout);
    }

    public ListenerSettings withReadTimeout(Duration limit) {
        return new ListenerSettings(address, port, threads, maxBodyBytes, limit);
    }

    /** Whether other machines can reach it. */
    public boolean isRemotelyReachable() {
        InetSocketAddress socket = socketAddress();
        return socket.isUnresolved() || !socket.getAddress().isLoopbackAddress();
    }

    /** Whether the address belongs to this machine, so that only the port can be the problem. */
    public boolean isLocalAddress() {
        InetSocketAddress anyPort = withPort(0).socketAddress();
        if (anyPort.isUnresolved()) {
            return false;
        }
        // By trying, because no list of addresses contains all of 127.0.0.0/8.
        try (ServerSocket trial = new ServerSocket()) {
            trial.bind(anyPort);
            return true;
        } catch (IOException notLocal) {
            return false;
        }
    }

    /** The host in URLs by which this machine reaches it. */
    String urlHost() {
        InetSocketAddress socket = socketAddress();
        if (socket.isUnresolved()) {
            return address;
        }
        InetAddress resolved = socket.getAddress();
        boolean colons = address.indexOf(':') >= 0;
        boolean localName = resolved.isLoopbackAddress() && !colons && !address.startsWith("127.");
        if (resolved.isAnyLocalAddress() || localName) {
            return resolved instanceof Inet6Address ? LOOPBACK_6 : LOOPBACK;
        }
        // A zone follows a percent sign, which URLs write as %25.
        return colons ? "[%s]".formatted(address.replaceAll("[\\[\\]]", "").replace("%", "%25")) : address;
    }

    InetSocketAddress socketAddress() {
        return new InetSocketAddress(address, port);
    }
}
