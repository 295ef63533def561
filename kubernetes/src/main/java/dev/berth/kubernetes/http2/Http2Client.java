package dev.berth.kubernetes.http2;

import dev.berth.kubernetes.http2.RequestFailed.Fate;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests over one connection that is made when it is needed and again when it is lost. Never more requests are
 * under way than the server allows; the others wait their turn. A request that the server has surely not looked at is
 * sent again by itself; for every other failure the caller is told what is known.
 *
 * <p>Safe from any thread. One thread of its own does all the work and calls all listeners.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write or close that fails ends the channel, which is heard
public final class Http2Client implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Http2Client.class);
    private static final long CLOSE_SECONDS = 5;

    private final Endpoint endpoint;
    private final Limits limits;
    private final Connector connector;
    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;
    private final Queue<Exchange> incoming = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean collecting = new AtomicBoolean();
    private final LinkEvents events = new LinkEvents();

    // From here on: the loop's alone.
    private final Deque<Exchange> queue = new ArrayDeque<>();
    private final Set<Link> links = new HashSet<>();
    private @Nullable Link current;
    private boolean connecting;
    private boolean pausing;
    private boolean pumpingSoon;
    private Duration pause = Duration.ZERO;
    private boolean closed;
    /** Why the last attempt to connect failed, until one succeeds. */
    private Optional<String> notConnected = Optional.empty();

    /**
     * Makes a client that connects when it has something to send.
     *
     * @param name of its thread
     */
    public Http2Client(String name, Endpoint endpoint, Limits limits) {
        this.endpoint = endpoint;
        this.limits = limits;
        this.connector = new Connector(endpoint, limits);
        this.group =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
        this.loop = group.next();
    }

    /** Sends the request and gathers the whole answer. The stage fails with {@link RequestFailed} alone. */
    public CompletableFuture<Response> send(Request request) {
        WholeBody body = new WholeBody();
        submit(new Exchange(request, body, false, this));
        return body.future();
    }

    /** Sends the request and hands the answer on as it arrives. */
    public Call stream(Request request, ResponseListener listener) {
        Exchange exchange = new Exchange(request, listener, true, this);
        submit(exchange);
        return exchange;
    }

    /** The client's own thread, for timers of listeners that want to be undisturbed by others. */
    public ScheduledExecutorService thread() {
        return loop;
    }

    /** Fails what is under way, closes the connection and ends the thread. */
    @Override
    public void close() {
        execute(this::closeAll);
        var ended = group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
        if (!loop.inEventLoop()) {
            ended.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Runs on the client's thread, or nowhere when it has ended: there is nothing left to do then. */
    void execute(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
            return;
        }
        try {
            loop.execute(task);
        } catch (RejectedExecutionException ended) {
            LOG.trace("{} is closed", endpoint, ended);
        }
    }

    Optional<String> notConnected() {
        return notConnected;
    }

    /** The exchange came back unprocessed: it goes before all that have not been sent yet. */
    void again(Exchange exchange) {
        if (closed) {
            exchange.fail(Fate.NOT_PROCESSED, "the client is closed", null);
            return;
        }
        queue.addFirst(exchange);
        // Not at once: the caller may be in the middle of taking a connection apart.
        loop.execute(this::pump);
    }

    private void submit(Exchange exchange) {
        incoming.add(exchange);
        if (collecting.compareAndSet(false, true)) {
            try {
                loop.execute(this::collect);
            } catch (RejectedExecutionException ended) {
                failIncoming();
            }
        }
    }

    private void failIncoming() {
        for (Exchange exchange = incoming.poll(); exchange != null; exchange = incoming.poll()) {
            exchange.fail(Fate.NOT_PROCESSED, "the client is closed", null);
        }
    }

    /** One wake-up of the thread for all that came in the meantime, and one flush. */
    private void collect() {
        collecting.set(false);
        if (closed) {
            failIncoming();
            return;
        }
        for (Exchange exchange = incoming.poll(); exchange != null; exchange = incoming.poll()) {
            if (queue.size() >= limits.queued()) {
                exchange.fail(Fate.NOT_PROCESSED, "%d requests wait already".formatted(queue.size()), null);
            } else {
                arm(exchange);
                queue.addLast(exchange);
            }
        }
        pump();
    }

    private void arm(Exchange exchange) {
        Duration timeout = exchange.request.timeout();
        exchange.deadline(loop.schedule(exchange::overdue, timeout.toNanos(), TimeUnit.NANOSECONDS));
    }

    private void pump() {
        Link over = current;
        if (over == null) {
            connectIfNeeded();
            return;
        }
        boolean written = false;
        while (!queue.isEmpty() && over == current && over.canOpen()) {
            Exchange next = queue.removeFirst();
            if (!next.done()) {
                over.open(next);
                written = true;
            }
        }
        if (written) {
            over.flush();
        }
    }

    /** Answers arrive in bunches: what follows them goes out as one, when all of the bunch have been read. */
    private void pumpSoon() {
        if (!pumpingSoon && !queue.isEmpty()) {
            pumpingSoon = true;
            loop.execute(() -> {
                pumpingSoon = false;
                pump();
            });
        }
    }

    private void connectIfNeeded() {
        queue.removeIf(Exchange::done);
        if (queue.isEmpty() || connecting || pausing || closed) {
            return;
        }
        connecting = true;
        Link link = new Link(limits, connector.headers(), events);
        links.add(link);
        connector.connect(loop, link).whenCompleteAsync((none, failure) -> connected(link, failure), loop);
    }

    private void connected(Link link, @Nullable Throwable failure) {
        if (failure != null) {
            links.remove(link);
            couldNotConnect(failure.getMessage() == null ? failure.toString() : failure.getMessage());
        } else if (closed) {
            link.close("the client is closed");
        }
    }

    private void couldNotConnect(String why) {
        connecting = false;
        pause = limits.reconnect().next(pause);
        pausing = true;
        loop.schedule(
                () -> {
                    pausing = false;
                    pump();
                },
                pause.toNanos(),
                TimeUnit.NANOSECONDS);
        List<Exchange> waiting = new ArrayList<>(queue);
        queue.clear();
        String message = "cannot connect to %s: %s".formatted(endpoint, why);
        notConnected = Optional.of(message);
        waiting.forEach(exchange -> exchange.fail(Fate.NOT_PROCESSED, message, null));
    }

    private void closeAll() {
        closed = true;
        failIncoming();
        List<Exchange> waiting = new ArrayList<>(queue);
        queue.clear();
        waiting.forEach(exchange -> exchange.fail(Fate.NOT_PROCESSED, "the client is closed", null));
        current = null;
        for (Link link : List.copyOf(links)) {
            if (link.ready()) {
                link.close("the client is closed");
            }
        }
    }

    /** What the links tell, on the loop. */
    private final class LinkEvents implements Link.Owner {
        @Override
        public void ready(Link link) {
            connecting = false;
            pause = Duration.ZERO;
            notConnected = Optional.empty();
            if (closed) {
                link.close("the client is closed");
                return;
            }
            LOG.debug("connected to {}", endpoint);
            current = link;
            pump();
        }

        @Override
        public void room(Link link) {
            if (link == current) {
                pumpSoon();
            }
        }

        @Override
        public void draining(Link link) {
            leave(link);
        }

        @Override
        public void closed(Link link, String why) {
            LOG.debug("connection to {} ended: {}", endpoint, why);
            links.remove(link);
            if (!link.ready()) {
                couldNotConnect(why);
            }
            leave(link);
        }

        private void leave(Link link) {
            if (link == current) {
                current = null;
                loop.execute(Http2Client.this::pump);
            }
        }
    }
}
