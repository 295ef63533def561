package dev.berth.kubernetes.http2;

import dev.berth.kubeclient.tls.ServerEndpoint;
import dev.berth.kubernetes.http2.RequestFailedException.ProcessingState;
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
 * Sends requests over one connection, which is opened when it is needed and again when it is lost. The number of
 * requests in flight never exceeds the server's limit; further requests are queued. A request that the server certainly
 * did not process is sent again automatically. For any other failure the exception says what is known.
 *
 * <p>Safe from any thread. A single thread does all the work and calls all listeners.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write or close that fails closes the channel, which is handled there
public final class Http2Client implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Http2Client.class);
    private static final long CLOSE_SECONDS = 5;

    private final ServerEndpoint endpoint;
    private final ConnectionSettings connectionSettings;
    private final Connector connector;
    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop eventLoop;
    private final Queue<Exchange> incoming = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    private final ConnectionEvents connectionEvents = new ConnectionEvents();

    // The following fields are confined to the event loop.
    private final Deque<Exchange> queue = new ArrayDeque<>();
    private final Set<ClientConnection> connections = new HashSet<>();
    private @Nullable ClientConnection currentConnection;
    private boolean connecting;
    private boolean backingOff;
    private boolean sendScheduled;
    private int connectFailures;
    private boolean closed;
    /** Why the last attempt to connect failed, until one succeeds. */
    private Optional<String> lastConnectError = Optional.empty();

    /**
     * Creates a client that connects when it has something to send.
     *
     * @param name of its thread
     */
    public Http2Client(String name, ServerEndpoint endpoint, ConnectionSettings connectionSettings) {
        this.endpoint = endpoint;
        this.connectionSettings = connectionSettings;
        this.connector = new Connector(endpoint, connectionSettings);
        this.group =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
        this.eventLoop = group.next();
    }

    /** Sends the request and collects the whole response. The stage fails only with {@link RequestFailedException}. */
    public CompletableFuture<Response> send(Request request) {
        ResponseCollector body = new ResponseCollector();
        submit(new Exchange(request, body, false, this));
        return body.future();
    }

    /** Sends the request and passes on the response as it arrives. */
    public Cancellable stream(Request request, ResponseListener listener) {
        Exchange exchange = new Exchange(request, listener, true, this);
        submit(exchange);
        return exchange;
    }

    /** The client's own thread, for timers of listeners. */
    public ScheduledExecutorService executor() {
        return eventLoop;
    }

    /** Fails the requests in flight, closes the connection and ends the thread. */
    @Override
    public void close() {
        execute(this::closeAll);
        var ended = group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
        if (!eventLoop.inEventLoop()) {
            ended.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Runs the task on the client's thread; does nothing if the thread has ended. */
    void execute(Runnable task) {
        if (eventLoop.inEventLoop()) {
            task.run();
            return;
        }
        try {
            eventLoop.execute(task);
        } catch (RejectedExecutionException ended) {
            LOG.trace("{} is closed", endpoint, ended);
        }
    }

    Optional<String> lastConnectError() {
        return lastConnectError;
    }

    /** The exchange was not processed: it goes before all that have not been sent yet. */
    void resend(Exchange exchange) {
        if (closed) {
            exchange.fail(ProcessingState.NOT_PROCESSED, "the client is closed", null);
            return;
        }
        queue.addFirst(exchange);
        // Not at once: the caller may be closing a connection.
        eventLoop.execute(this::sendQueued);
    }

    private void submit(Exchange exchange) {
        incoming.add(exchange);
        if (drainScheduled.compareAndSet(false, true)) {
            try {
                eventLoop.execute(this::drainIncoming);
            } catch (RejectedExecutionException ended) {
                failIncoming();
            }
        }
    }

    private void failIncoming() {
        for (Exchange exchange = incoming.poll(); exchange != null; exchange = incoming.poll()) {
            exchange.fail(ProcessingState.NOT_PROCESSED, "the client is closed", null);
        }
    }

    /** One wake-up of the thread and one flush for all requests that arrived in between. */
    private void drainIncoming() {
        drainScheduled.set(false);
        if (closed) {
            failIncoming();
            return;
        }
        for (Exchange exchange = incoming.poll(); exchange != null; exchange = incoming.poll()) {
            if (queue.size() >= connectionSettings.maxQueuedRequests()) {
                exchange.fail(ProcessingState.NOT_PROCESSED, "%d requests wait already".formatted(queue.size()), null);
            } else {
                startTimeout(exchange);
                queue.addLast(exchange);
            }
        }
        sendQueued();
    }

    private void startTimeout(Exchange exchange) {
        Duration timeout = exchange.request.timeout();
        exchange.setTimeoutTask(eventLoop.schedule(exchange::onTimeout, timeout.toNanos(), TimeUnit.NANOSECONDS));
    }

    private void sendQueued() {
        ClientConnection connection = currentConnection;
        if (connection == null) {
            connectIfNeeded();
            return;
        }
        boolean written = false;
        while (!queue.isEmpty() && connection == currentConnection && connection.canOpenStream()) {
            Exchange next = queue.removeFirst();
            if (!next.isDone()) {
                connection.send(next);
                written = true;
            }
        }
        if (written) {
            connection.flush();
        }
    }

    /**
     * Responses arrive in batches: the requests that follow them are sent together, after the whole batch has been
     * read.
     */
    private void scheduleSend() {
        if (!sendScheduled && !queue.isEmpty()) {
            sendScheduled = true;
            eventLoop.execute(() -> {
                sendScheduled = false;
                sendQueued();
            });
        }
    }

    private void connectIfNeeded() {
        queue.removeIf(Exchange::isDone);
        if (queue.isEmpty() || connecting || backingOff || closed) {
            return;
        }
        connecting = true;
        ClientConnection clientConnection =
                new ClientConnection(connectionSettings, connector.requestHeaders(), connectionEvents);
        connections.add(clientConnection);
        connector
                .connect(eventLoop, clientConnection)
                .whenCompleteAsync((none, failure) -> onConnected(clientConnection, failure), eventLoop);
    }

    private void onConnected(ClientConnection clientConnection, @Nullable Throwable failure) {
        if (failure != null) {
            connections.remove(clientConnection);
            onConnectFailure(failure.getMessage() == null ? failure.toString() : failure.getMessage());
        } else if (closed) {
            clientConnection.close("the client is closed");
        }
    }

    private void onConnectFailure(String reason) {
        connecting = false;
        connectFailures++;
        backingOff = true;
        eventLoop.schedule(
                () -> {
                    backingOff = false;
                    sendQueued();
                },
                connectionSettings
                        .reconnectBackoff()
                        .delayAfter(connectFailures)
                        .toNanos(),
                TimeUnit.NANOSECONDS);
        List<Exchange> waiting = new ArrayList<>(queue);
        queue.clear();
        String message = "cannot connect to %s: %s".formatted(endpoint, reason);
        lastConnectError = Optional.of(message);
        waiting.forEach(exchange -> exchange.fail(ProcessingState.NOT_PROCESSED, message, null));
    }

    private void closeAll() {
        closed = true;
        failIncoming();
        List<Exchange> waiting = new ArrayList<>(queue);
        queue.clear();
        waiting.forEach(exchange -> exchange.fail(ProcessingState.NOT_PROCESSED, "the client is closed", null));
        currentConnection = null;
        for (ClientConnection clientConnection : List.copyOf(connections)) {
            if (clientConnection.isReady()) {
                clientConnection.close("the client is closed");
            }
        }
    }

    /** The state changes of connections, on the event loop. */
    private final class ConnectionEvents implements ClientConnection.StateListener {
        @Override
        public void onReady(ClientConnection clientConnection) {
            connecting = false;
            connectFailures = 0;
            lastConnectError = Optional.empty();
            if (closed) {
                clientConnection.close("the client is closed");
                return;
            }
            LOG.debug("connected to {}", endpoint);
            currentConnection = clientConnection;
            sendQueued();
        }

        @Override
        public void onStreamAvailable(ClientConnection clientConnection) {
            if (clientConnection == currentConnection) {
                scheduleSend();
            }
        }

        @Override
        public void onDraining(ClientConnection clientConnection) {
            stopUsing(clientConnection);
        }

        @Override
        public void onClosed(ClientConnection clientConnection, String reason) {
            LOG.debug("connection to {} ended: {}", endpoint, reason);
            connections.remove(clientConnection);
            if (!clientConnection.isReady()) {
                onConnectFailure(reason);
            }
            stopUsing(clientConnection);
        }

        private void stopUsing(ClientConnection clientConnection) {
            if (clientConnection == currentConnection) {
                currentConnection = null;
                eventLoop.execute(Http2Client.this::sendQueued);
            }
        }
    }
}
