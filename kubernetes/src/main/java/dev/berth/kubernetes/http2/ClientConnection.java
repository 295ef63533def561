package dev.berth.kubernetes.http2;

import dev.berth.kubernetes.time.GoDuration;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection: opens a stream for each exchange and passes the result to the exchange. Confined to the client's
 * thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write or close that fails closes the channel, which is handled there
final class ClientConnection extends Http2EventAdapter {
    /** Receives the state changes of a connection. */
    interface StateListener {
        void onReady(ClientConnection clientConnection);

        /** A stream has ended: another stream may be opened. */
        void onStreamAvailable(ClientConnection clientConnection);

        /** The server accepts no more streams on it, but streams in flight may end. */
        void onDraining(ClientConnection clientConnection);

        void onClosed(ClientConnection clientConnection, String reason);
    }

    private final ConnectionSettings connectionSettings;
    private final RequestHeaders requestHeaders;
    private final StateListener listener;
    private final Http2Connection connection = new DefaultHttp2Connection(false);
    private final Http2Connection.PropertyKey exchangeKey = connection.newKey();
    private final Http2ConnectionHandler handler;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Future<?> keepAliveTask;
    private boolean ready;
    private boolean draining;
    private boolean activitySeen;
    private int lastProcessedStreamId = Integer.MAX_VALUE;
    private String closeReason = "the connection was closed";

    ClientConnection(
            ConnectionSettings connectionSettings, RequestHeaders requestHeaders, StateListener stateListener) {
        this.connectionSettings = connectionSettings;
        this.requestHeaders = requestHeaders;
        this.listener = stateListener;
        connection.addListener(this);
        // Requests are small and equal, so stream priorities have no benefit.
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        Http2Settings settings = Http2Settings.defaultSettings()
                .pushEnabled(false)
                .initialWindowSize(connectionSettings.initialWindowBytes())
                .maxFrameSize(connectionSettings.maxFrameBytes());
        this.handler = new Http2ConnectionHandlerBuilder()
                .connection(connection)
                .frameListener(this)
                .initialSettings(settings)
                .validateHeaders(false)
                .gracefulShutdownTimeoutMillis(0)
                .build();
    }

    /** The channel is connected and the server has agreed to HTTP/2. */
    void start(Channel channel) throws Http2Exception {
        channel.pipeline().addBefore(ConnectionErrorHandler.NAME, null, handler);
        ChannelHandlerContext added = channel.pipeline().context(handler);
        context = added;
        // The stream windows have no effect while the connection's own window stays at the initial 64 KiB.
        connection
                .local()
                .flowController()
                .incrementWindowSize(connection.connectionStream(), 2 * connectionSettings.initialWindowBytes());
        flush();
        channel.closeFuture().addListener(closed -> onChannelClosed());
    }

    boolean isReady() {
        return ready;
    }

    boolean canOpenStream() {
        return ready
                && !draining
                && connection.local().numActiveStreams() < connectionSettings.maxConcurrentStreams()
                && connection.local().canOpenStream();
    }

    /** Sends the request of the exchange over a stream of its own; {@link #flush} must follow. */
    void send(Exchange exchange) {
        ChannelHandlerContext to = startedContext();
        int id = connection.local().incrementAndGetNextStreamId();
        if (id < 0) {
            drain("the connection has no more stream ids");
            exchange.onNotProcessed(closeReason);
            return;
        }
        byte[] body = exchange.request.body();
        ChannelPromise written = to.newPromise();
        Http2Headers headers = requestHeaders.encode(exchange.request);
        handler.encoder().writeHeaders(to, id, headers, 0, body.length == 0, written);
        Http2Stream stream = connection.stream(id);
        if (stream == null) {
            exchange.onNotProcessed("the stream could not be opened: " + written.cause());
            return;
        }
        stream.setProperty(exchangeKey, exchange);
        exchange.onStreamOpened(this, id);
        if (body.length > 0) {
            handler.encoder().writeData(to, id, Unpooled.wrappedBuffer(body), 0, true, to.newPromise());
        }
    }

    /** Through the handler and not past it: bodies are queued there. */
    void flush() {
        handler.flush(startedContext());
    }

    /** Resets the stream: its response is not needed any more. */
    void resetStream(int streamId) {
        Http2Stream stream = connection.stream(streamId);
        if (stream != null) {
            stream.removeProperty(exchangeKey);
            ChannelHandlerContext to = startedContext();
            handler.resetStream(to, streamId, Http2Error.CANCEL.code(), to.newPromise());
            flush();
        }
    }

    void close(String reason) {
        closeReason = reason;
        startedContext().channel().close();
    }

    /** The error that breaks the connection becomes the reason of all failed requests on it. */
    void recordError(Throwable cause) {
        closeReason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
        activitySeen = true;
        if (!ready) {
            ready = true;
            scheduleIdleCheck();
            listener.onReady(this);
        } else {
            listener.onStreamAvailable(this);
        }
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext ctx,
            int streamId,
            Http2Headers headers,
            int streamDependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean endStream)
            throws Http2Exception {
        onHeadersRead(ctx, streamId, headers, padding, endStream);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean endStream)
            throws Http2Exception {
        activitySeen = true;
        Exchange exchange = exchange(streamId);
        if (exchange == null) {
            return;
        }
        int status = parseStatus(headers, streamId);
        boolean interim = status >= 100 && status < 200;
        if (status != 0 && !interim) {
            exchange.onHead(new ResponseHead(status, headers));
        }
        if (endStream) {
            exchange.onEnd();
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
        activitySeen = true;
        int length = data.readableBytes();
        Exchange exchange = exchange(streamId);
        if (exchange != null) {
            if (length > 0) {
                exchange.onData(data.nioBuffer());
            }
            if (endOfStream) {
                exchange.onEnd();
            }
        }
        return length + padding;
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
        activitySeen = true;
        Exchange exchange = removeExchange(connection.stream(streamId));
        if (exchange == null) {
            return;
        }
        if (errorCode == Http2Error.REFUSED_STREAM.code()) {
            exchange.onNotProcessed("the server refused the stream");
        } else {
            exchange.onLost("the server reset the stream (%s)".formatted(errorName(errorCode)));
        }
    }

    @Override
    public void onPingRead(ChannelHandlerContext ctx, long data) {
        activitySeen = true;
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext ctx, long data) {
        activitySeen = true;
    }

    @Override
    public void onGoAwayReceived(int lastStreamId, long errorCode, ByteBuf debugData) {
        lastProcessedStreamId = lastStreamId;
        String details = debugData.toString(StandardCharsets.UTF_8);
        drain("the server ended the connection (%s%s)"
                .formatted(errorName(errorCode), details.isEmpty() ? "" : ": " + details));
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        Exchange exchange = removeExchange(stream);
        if (exchange != null && !exchange.isDone()) {
            if (stream.id() > lastProcessedStreamId) {
                exchange.onNotProcessed(closeReason);
            } else {
                exchange.onLost(closeReason);
            }
        }
        if (!draining) {
            listener.onStreamAvailable(this);
        } else {
            closeWhenIdle();
        }
    }

    private void drain(String reason) {
        closeReason = reason;
        if (!draining) {
            draining = true;
            listener.onDraining(this);
        }
        closeWhenIdle();
    }

    private void closeWhenIdle() {
        // The stream that has just ended may still be counted: check again after the present event.
        ChannelHandlerContext at = startedContext();
        at.executor().execute(() -> {
            if (connection.numActiveStreams() == 0 && at.channel().isOpen()) {
                at.channel().close();
            }
        });
    }

    private void onChannelClosed() {
        draining = true;
        if (keepAliveTask != null) {
            keepAliveTask.cancel(false);
        }
        listener.onClosed(this, closeReason);
    }

    /** Pings an idle connection; if it does not answer in time, it is closed. */
    private void scheduleIdleCheck() {
        ChannelHandlerContext at = startedContext();
        activitySeen = false;
        keepAliveTask = at.executor()
                .schedule(this::onReadIdle, connectionSettings.readIdleTimeout().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void onReadIdle() {
        if (activitySeen) {
            scheduleIdleCheck();
            return;
        }
        ChannelHandlerContext at = startedContext();
        handler.encoder().writePing(at, false, 0, at.newPromise());
        flush();
        keepAliveTask = at.executor()
                .schedule(this::onPingTimeout, connectionSettings.pingTimeout().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void onPingTimeout() {
        if (activitySeen) {
            scheduleIdleCheck();
        } else {
            close("the server was silent for %s and did not answer a ping within %s"
                    .formatted(
                            GoDuration.format(connectionSettings.readIdleTimeout()),
                            GoDuration.format(connectionSettings.pingTimeout())));
        }
    }

    private @Nullable Exchange exchange(int streamId) {
        Http2Stream stream = connection.stream(streamId);
        return stream == null ? null : stream.getProperty(exchangeKey);
    }

    private @Nullable Exchange removeExchange(@Nullable Http2Stream stream) {
        return stream == null ? null : stream.removeProperty(exchangeKey);
    }

    private ChannelHandlerContext startedContext() {
        if (context == null) {
            throw new IllegalStateException("the connection is used before it was started");
        }
        return context;
    }

    /** Zero for trailers, which have no status. */
    private static int parseStatus(Http2Headers headers, int streamId) throws Http2Exception {
        CharSequence status = headers.status();
        if (status == null) {
            return 0;
        }
        try {
            return Integer.parseInt(status, 0, status.length(), 10);
        } catch (NumberFormatException noNumber) {
            throw Http2Exception.streamError(
                    streamId, Http2Error.PROTOCOL_ERROR, noNumber, "status (%s) is not a number", status);
        }
    }

    private static String errorName(long errorCode) {
        Http2Error error = Http2Error.valueOf(errorCode);
        return error == null ? "error " + errorCode : error.name();
    }
}
