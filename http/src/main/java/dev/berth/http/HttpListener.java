package dev.berth.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.budget.OverBudget;
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
 * Answers HTTP requests by a router until it is closed. Threads, connections, bodies and the time to send a request are
 * bounded: a caller beyond that finds its connection closed. What all requests together take of the memory is bounded by
 * a budget that several listeners share: a caller beyond that hears 503 and when to come back.
 */
public final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
    private static final int WAITING = 256;
    /** Callers that send slowly keep threads that read, and none of those that answer. */
    private static final int READERS_PER_ANSWER = 4;
    /** Of one listener, idle ones too. */
    private static final int MOST_CONNECTIONS = 1_024;

    private static final int COME_BACK_SECONDS = 1;
    private static final int END_WITHIN_SECONDS = 1;
    /** Of all listeners: see {@link ReadLimit} for the limit of each. */
    private static final int REQUEST_WITHIN_SECONDS = 10;

    static {
        // Without the first each answer waits 40 ms for the caller's acknowledgement; the others bound slow callers.
        setUnlessSet("sun.net.httpserver.nodelay", "true");
        setUnlessSet("sun.net.httpserver.maxReqTime", Integer.toString(REQUEST_WITHIN_SECONDS));
        setUnlessSet("sun.net.httpserver.maxRspTime", "30");
        setUnlessSet("jdk.httpserver.maxConnections", Integer.toString(MOST_CONNECTIONS));
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final Router router;
    private final ListenerSettings settings;
    private final ByteBudget budget;
    private final ReadLimit readLimit;
    /** One for each request from its first byte until its answer is sent. */
    private final Semaphore handling;
    /** One for each request that is being answered. */
    private final Semaphore answering;

    private HttpListener(
            HttpServer server,
            ThreadPoolExecutor threads,
            Router router,
            ListenerSettings settings,
            ByteBudget budget,
            ReadLimit readLimit) {
        this.server = server;
        this.threads = threads;
        this.router = router;
        this.settings = settings;
        this.budget = budget;
        this.readLimit = readLimit;
        this.handling = new Semaphore(READERS_PER_ANSWER * settings.threads());
        this.answering = new Semaphore(settings.threads());
    }

    /**
     * Begins to listen.
     *
     * @param name of its threads
     * @param budget what all requests of all listeners that share it may take together
     * @throws BindException when the port is taken or the address is none of this machine's
     */
    public static HttpListener start(String name, ListenerSettings settings, Router router, ByteBudget budget)
            throws IOException {
        if (settings.socket().isUnresolved()) {
            throw new BindException("no address is known for (%s)".formatted(settings.address()));
        }
        HttpServer server = HttpServer.create(settings.socket(), WAITING);
        ThreadPoolExecutor threads = threads(name, READERS_PER_ANSWER * settings.threads());
        ReadLimit readLimit = new ReadLimit(name, settings.readWithin());
        HttpListener listener = new HttpListener(server, threads, router, settings, budget, readLimit);
        server.setExecutor(readLimit.limiting(threads));
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
        handling.acquireUninterruptibly();
        try {
            handleOne(exchange);
        } finally {
            handling.release();
        }
    }

    private void handleOne(HttpExchange exchange) throws IOException {
        try (exchange;
                ByteBudget.Share share = budget.open()) {
            Reply reply = reply(exchange, share);
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            boolean bodiless =
                    reply.length() == 0 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(reply.status(), bodiless ? -1 : reply.length());
            if (!bodiless) {
                reply.writeTo(exchange.getResponseBody());
            }
        }
    }

    private Reply reply(HttpExchange exchange, ByteBudget.Share share) throws IOException {
        Router.Found found = router.find(
                exchange.getRequestMethod(), exchange.getRequestURI().getPath());
        if (found.route().isEmpty()) {
            BodyReader.drain(exchange.getRequestBody(), settings.mostBytes());
            return found.otherwise();
        }
        Route route = found.route().get();
        try {
            Optional<byte[]> body = new BodyReader(exchange.getRequestBody(), settings.mostBytes(), share).read();
            if (body.isPresent()) {
                readLimit.read();
                return answer(exchange, route, new Asked(query(exchange), body.get(), share));
            }
            share.close();
            BodyReader.drain(exchange.getRequestBody(), settings.mostBytes());
            return route.tooLarge("The body is larger than %d bytes".formatted(settings.mostBytes()));
        } catch (OverBudget tooMuch) {
            share.close();
            LOG.debug("{} is refused: {}", exchange.getRequestURI().getPath(), tooMuch.getMessage());
            BodyReader.drain(exchange.getRequestBody(), settings.mostBytes());
            return tooMuch.isForGood()
                    ? route.tooLarge(
                            ("The request needs more than the %d bytes of memory that all requests together may"
                                            + " take (doors.requestMemory)")
                                    .formatted(budget.bytes()))
                    : route.busy().with("Retry-After", Integer.toString(COME_BACK_SECONDS));
        }
    }

    private Reply answer(HttpExchange exchange, Route route, Asked asked) {
        answering.acquireUninterruptibly();
        try {
            return route.answer(asked);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return Reply.text(503, "Berth is ending\n");
        } catch (OverBudget tooMuch) {
            throw tooMuch;
        } catch (RuntimeException bug) {
            LOG.error(
                    "{} {} could not be answered",
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    bug);
            return Reply.text(500, "Berth could not answer: this is a bug of Berth's, and its log says more\n");
        } finally {
            answering.release();
        }
    }

    private static String query(HttpExchange exchange) {
        return Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
    }

    /** What is being answered has a moment to end. */
    @Override
    public void close() {
        try {
            int all = READERS_PER_ANSWER * settings.threads();
            if (handling.tryAcquire(all, END_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                // Closing twice does no harm.
                handling.release(all);
            } else {
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
        } finally {
            readLimit.close();
        }
    }

    /** How to reach it, on this machine. */
    public String url() {
        return "http://%s:%d".formatted(settings.host(), port());
    }
}
