package dev.berth.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers HTTP requests by a router until it is closed. Threads, waiting connections, bodies and the time to send a
 * request are bounded: a caller beyond that finds its connection closed.
 */
public final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
    private static final int WAITING = 256;
    private static final int END_WITHIN_SECONDS = 1;
    /** A request that is sent more slowly would keep a thread from others; the server counts head and body together. */
    private static final int REQUEST_WITHIN_SECONDS = 10;

    static {
        // Without the first each answer waits 40 ms for the caller's acknowledgement; the others bound slow callers.
        setUnlessSet("sun.net.httpserver.nodelay", "true");
        setUnlessSet("sun.net.httpserver.maxReqTime", Integer.toString(REQUEST_WITHIN_SECONDS));
        setUnlessSet("sun.net.httpserver.maxRspTime", "30");
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final Router router;
    private final ListenerSettings settings;
    /** One for each request that is being answered. */
    private final Semaphore answering;

    private HttpListener(HttpServer server, ThreadPoolExecutor threads, Router router, ListenerSettings settings) {
        this.server = server;
        this.threads = threads;
        this.router = router;
        this.settings = settings;
        this.answering = new Semaphore(settings.threads());
    }

    /**
     * Begins to listen.
     *
     * @param name of its threads
     * @throws BindException when the port is taken or the address is none of this machine's
     */
    public static HttpListener start(String name, ListenerSettings settings, Router router) throws IOException {
        if (settings.socket().isUnresolved()) {
            throw new BindException("no address is known for (%s)".formatted(settings.address()));
        }
        HttpServer server = HttpServer.create(settings.socket(), WAITING);
        HttpListener listener = new HttpListener(server, threads(name, settings.threads()), router, settings);
        server.setExecutor(listener.threads);
        server.createContext("/", listener::handle);
        server.start();
        return listener;
    }

    private static ThreadPoolExecutor threads(String name, int count) {
        AtomicInteger made = new AtomicInteger();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(count, count, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), work -> {
                    Thread thread = new Thread(work, "%s-%d".formatted(name, made.incrementAndGet()));
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        answering.acquireUninterruptibly();
        try {
            answer(exchange);
        } finally {
            answering.release();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Reply reply = reply(exchange);
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] body = reply.body();
            boolean bodiless = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(reply.status(), bodiless ? -1 : body.length);
            if (!bodiless) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private Reply reply(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().getPath();
        Router.Found found = router.find(method, path);
        Optional<byte[]> body = body(exchange.getRequestBody());
        if (found.route().isEmpty()) {
            return found.otherwise();
        }
        Route route = found.route().get();
        if (body.isEmpty()) {
            return route.tooLarge(settings.mostBytes());
        }
        try {
            return route.answer(new Asked(query(exchange), body.get()));
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return Reply.text(503, "Berth is ending\n");
        } catch (RuntimeException bug) {
            LOG.error("{} {} could not be answered", method, path, bug);
            return Reply.text(500, "Berth could not answer: this is a bug of Berth's, and its log says more\n");
        }
    }

    private static String query(HttpExchange exchange) {
        return Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
    }

    /** Empty when it is too large: a caller that goes on sending is heard a while, so that it reads the answer. */
    private Optional<byte[]> body(InputStream in) throws IOException {
        byte[] body = in.readNBytes(settings.mostBytes());
        if (in.read() < 0) {
            return Optional.of(body);
        }
        in.readNBytes(settings.mostBytes());
        return Optional.empty();
    }

    /** What is being answered has a moment to end. */
    @Override
    public void close() {
        try {
            if (!answering.tryAcquire(settings.threads(), END_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("requests are cut off that were not answered within {} s", END_WITHIN_SECONDS);
            }
            // The server's own way to wait takes all of the time, be there nothing to wait for.
            server.stop(0);
            threads.shutdownNow();
            if (!threads.awaitTermination(END_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("a thread did not end within {} s", END_WITHIN_SECONDS);
            }
        } catch (InterruptedException interrupted) {
            server.stop(0);
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /** How to reach it, on this machine. */
    public String url() {
        return "http://%s:%d".formatted(settings.host(), port());
    }
}
