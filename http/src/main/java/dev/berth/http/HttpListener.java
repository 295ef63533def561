package dev.berth.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.budget.MemoryBudgetExceededException;
import java.io.IOException;
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
 * An HTTP server that dispatches requests by a router. Threads, connections, bodies and the time to send a request are
 * limited: the connection of a caller beyond these limits is closed. The memory of all requests is limited by a budget
 * that several listeners share: a request beyond it gets 503 with a Retry-After.
 */
public final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
    private static final int BACKLOG = 256;
    /** Slow callers occupy only reading threads, not the threads that answer. */
    private static final int READERS_PER_HANDLER = 4;
    /** For one listener, including idle connections. */
    private static final int MAX_CONNECTIONS = 1_024;

    private static final int RETRY_AFTER_SECONDS = 1;
    private static final int SHUTDOWN_TIMEOUT_SECONDS = 1;
    /** For all listeners: see {@link ReadTimeout} for the limit of each. */
    private static final int REQUEST_TIMEOUT_SECONDS = 10;

    static {
        // Without the first property each response waits 40 ms for the caller's acknowledgement; the others limit slow
        // callers.
        setPropertyIfAbsent("sun.net.httpserver.nodelay", "true");
        setPropertyIfAbsent("sun.net.httpserver.maxReqTime", Integer.toString(REQUEST_TIMEOUT_SECONDS));
        setPropertyIfAbsent("sun.net.httpserver.maxRspTime", "30");
        setPropertyIfAbsent("jdk.httpserver.maxConnections", Integer.toString(MAX_CONNECTIONS));
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final Router router;
    private final ListenerSettings settings;
    private final ByteBudget budget;
    private final ReadTimeout readTimeout;
    /** One for each request, from its first byte until its response is sent. */
    private final Semaphore requestPermits;
    /** One for each request that is being handled. */
    private final Semaphore handlerPermits;

    private HttpListener(
            HttpServer server,
            ThreadPoolExecutor threads,
            Router router,
            ListenerSettings settings,
            ByteBudget budget,
            ReadTimeout readTimeout) {
        this.server = server;
        this.threads = threads;
        this.router = router;
        this.settings = settings;
        this.budget = budget;
        this.readTimeout = readTimeout;
        this.requestPermits = new Semaphore(READERS_PER_HANDLER * settings.threads());
        this.handlerPermits = new Semaphore(settings.threads());
    }

    /**
     * Starts to listen.
     *
     * @param name of its threads
     * @param budget the memory of all requests of all listeners that share it
     * @throws BindException if the port is in use, or the address does not belong to this machine
     */
    public static HttpListener start(String name, ListenerSettings settings, Router router, ByteBudget budget)
            throws IOException {
        if (settings.socketAddress().isUnresolved()) {
            throw new BindException("no address is known for (%s)".formatted(settings.address()));
        }
        HttpServer server = HttpServer.create(settings.socketAddress(), BACKLOG);
        ThreadPoolExecutor threads = threads(name, READERS_PER_HANDLER * settings.threads());
        ReadTimeout readTimeout = new ReadTimeout(name, settings.readTimeout());
        HttpListener listener = new HttpListener(server, threads, router, settings, budget, readTimeout);
        server.setExecutor(readTimeout.wrap(threads));
        server.createContext("/", listener::handle);
        server.start();
        return listener;
    }

    private static ThreadPoolExecutor threads(String name, int count) {
        AtomicInteger threadCount = new AtomicInteger();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(count, count, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(BACKLOG), work -> {
                    Thread thread = new Thread(work, "%s-%d".formatted(name, threadCount.incrementAndGet()));
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static void setPropertyIfAbsent(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        requestPermits.acquireUninterruptibly();
        try {
            handleWithPermit(exchange);
        } finally {
            requestPermits.release();
        }
    }

    private void handleWithPermit(HttpExchange exchange) throws IOException {
        try (exchange;
                ByteBudget.Share share = budget.openShare()) {
            ServerResponse serverResponse = respond(exchange, share);
            serverResponse.headers().forEach(exchange.getResponseHeaders()::set);
            boolean bodiless =
                    serverResponse.length() == 0 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(serverResponse.status(), bodiless ? -1 : serverResponse.length());
            if (!bodiless) {
                serverResponse.writeTo(exchange.getResponseBody());
            }
        }
    }

    private ServerResponse respond(HttpExchange exchange, ByteBudget.Share share) throws IOException {
        Router.RouteMatch routeMatch = router.find(
                exchange.getRequestMethod(), exchange.getRequestURI().getPath());
        if (routeMatch.routeHandler().isEmpty()) {
            RequestBodyReader.drain(exchange.getRequestBody(), settings.maxBodyBytes());
            return routeMatch.fallback();
        }
        RouteHandler routeHandler = routeMatch.routeHandler().get();
        try {
            Optional<byte[]> body =
                    new RequestBodyReader(exchange.getRequestBody(), settings.maxBodyBytes(), share).read();
            if (body.isPresent()) {
                readTimeout.onRequestRead();
                return callHandler(exchange, routeHandler, new ServerRequest(query(exchange), body.get(), share));
            }
            share.close();
            RequestBodyReader.drain(exchange.getRequestBody(), settings.maxBodyBytes());
            return routeHandler.tooLarge("The body is larger than %d bytes".formatted(settings.maxBodyBytes()));
        } catch (MemoryBudgetExceededException tooMuch) {
            share.close();
            LOG.debug("{} is rejected: {}", exchange.getRequestURI().getPath(), tooMuch.getMessage());
            RequestBodyReader.drain(exchange.getRequestBody(), settings.maxBodyBytes());
            return tooMuch.isPermanent()
                    ? routeHandler.tooLarge(
                            ("The request needs more than the %d bytes of memory that all requests together may"
                                            + " take (http.requestMemoryLimit)")
                                    .formatted(budget.bytes()))
                    : routeHandler.busy().withHeader("Retry-After", Integer.toString(RETRY_AFTER_SECONDS));
        }
    }

    private ServerResponse callHandler(HttpExchange exchange, RouteHandler routeHandler, ServerRequest serverRequest) {
        handlerPermits.acquireUninterruptibly();
        try {
            return routeHandler.handle(serverRequest);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return ServerResponse.text(503, "Berth is shutting down\n");
        } catch (MemoryBudgetExceededException tooMuch) {
            throw tooMuch;
        } catch (RuntimeException bug) {
            LOG.error(
                    "{} {} failed",
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    bug);
            return ServerResponse.text(500, "Internal error: this is a bug of Berth. See its log\n");
        } finally {
            handlerPermits.release();
        }
    }

    private static String query(HttpExchange exchange) {
        return Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
    }

    /** Requests that are being handled have a moment to end. */
    @Override
    public void close() {
        try {
            int all = READERS_PER_HANDLER * settings.threads();
            if (requestPermits.tryAcquire(all, SHUTDOWN_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                // Closing twice has no effect.
                requestPermits.release(all);
            } else {
                LOG.warn("closing requests that were not answered within {} s", SHUTDOWN_TIMEOUT_SECONDS);
            }
            // The server's own delay always waits the full time, even if there is nothing to wait for.
            server.stop(0);
            threads.shutdownNow();
            if (!threads.awaitTermination(SHUTDOWN_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("a thread did not end within {} s", SHUTDOWN_TIMEOUT_SECONDS);
            }
        } catch (InterruptedException interrupted) {
            server.stop(0);
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        } finally {
            readTimeout.close();
        }
    }

    /** The URL on this machine. */
    public String url() {
        return "http://%s:%d".formatted(settings.urlHost(), port());
    }
}
