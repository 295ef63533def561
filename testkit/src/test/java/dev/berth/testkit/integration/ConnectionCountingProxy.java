package dev.berth.testkit.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes bytes on to a server and counts the connections that are made through it. */
final class ConnectionCountingProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionCountingProxy.class);

    private final ServerSocket front;
    private final URI server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();

    ConnectionCountingProxy(URI server) {
        this.server = server;
        try {
            this.front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
        thread(this::accept, "relay");
    }

    URI url() {
        return URI.create("https://127.0.0.1:" + front.getLocalPort());
    }

    int connections() {
        return connections.get();
    }

    private void accept() throws IOException {
        while (true) {
            Socket near = front.accept();
            Socket far = new Socket(server.getHost(), server.getPort());
            connections.incrementAndGet();
            sockets.add(near);
            sockets.add(far);
            thread(() -> pass(near, far), "relay-out");
            thread(() -> pass(far, near), "relay-back");
        }
    }

    private static void pass(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        }
    }

    /** Both ends of the connection see the failure. */
    private static void thread(IoTask ioTask, String name) {
        Thread thread = new Thread(
                () -> {
                    try {
                        ioTask.run();
                    } catch (IOException ended) {
                        LOG.debug("a line ended: {}", ended.toString());
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private interface IoTask {
        void run() throws IOException;
    }

    @Override
    public void close() throws IOException {
        front.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
