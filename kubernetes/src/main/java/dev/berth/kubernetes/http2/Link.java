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

/** One connection: opens streams for exchanges and tells each what became of it. Confined to the client's thread. */
@SuppressWarnings("FutureReturnValueIgnored") // a write or close that fails ends the channel, which is heard
final class Link extends Http2EventAdapter {
    /** What becomes of a link, told to its client. */
    interface Owner {
        void ready(Link link);

        /** A stream has ended: there may be room for another. */
        void room(Link link);

        /** The server wants no more streams on it, though those under way may end. */
        void draining(Link link);

        void closed(Link link, String why);
    }

    private final Limits limits;
    private final RequestHeaders requestHeaders;
    private final Owner owner;
    private final Http2Connection connection = new DefaultHttp2Connection(false);
    private final Http2Connection.PropertyKey exchangeKey = connection.newKey();
    private final Http2ConnectionHandler handler;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Future<?> heartbeat;
    private boolean ready;
    private boolean draining;
    private boolean heard;
    private int lastProcessed = Integer.MAX_VALUE;
    private String why = "the connection was closed";

    Link(Limits limits, RequestHeaders requestHeaders, Owner owner) {
        this.limits = limits;
        this.requestHeaders = requestHeaders;
        this.owner = owner;
        connection.addListener(this);
        // Requests are small and equal: nothing is gained by weighing their streams.
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        Http2Settings settings = Http2Settings.defaultSettings()
                .pushEnabled(false)
                .initialWindowSize(limits.windowBytes())
                .maxFrameSize(limits.frameBytes());
        this.handler = new Http2ConnectionHandlerBuilder()
                .connection(connection)
                .frameListener(this)
                .initialSettings(settings)
                .validateHeaders(false)
                .gracefulShutdownTimeoutMillis(0)
                .build();
    }

    /** The channel is connected and the server has agreed to speak HTTP/2. */
    void start(Channel channel) throws Http2Exception {
        channel.pipeline().addBefore(LastWords.NAME, null, handler);
        ChannelHandlerContext added = channel.pipeline().context(handler);
        context = added;
        // The stream windows are of no use while the connection's own stays at the initial 64 KiB.
        connection
                .local()
                .flowController()
                .incrementWindowSize(connection.connectionStream(), 2 * limits.windowBytes());
        flush();
        channel.closeFuture().addListener(closed -> closed());
    }

    boolean ready() {
        return ready;
    }

    boolean canOpen() {
        return ready
                && !draining
                && connection.local().numActiveStreams() < limits.streams()
                && connection.local().canOpenStream();
    }

    /** Sends the request of the exchange over a stream of its own; {@link #flush} must follow. */
    void open(Exchange exchange) {
        ChannelHandlerContext to = started();
        int id = connection.local().incrementAndGetNextStreamId();
        if (id < 0) {
            drain("the connection has used up its streams");
            exchange.notProcessed(why);
            return;
        }
        byte[] body = exchange.request.body();
        ChannelPromise written = to.newPromise();
        Http2Headers headers = requestHeaders.of(exchange.request);
        handler.encoder().writeHeaders(to, id, headers, 0, body.length == 0, written);
        Http2Stream stream = connection.stream(id);
        if (stream == null) {
            exchange.notProcessed("the stream could not be opened: " + written.cause());
            return;
        }
        stream.setProperty(exchangeKey, exchange);
        exchange.opened(this, id);
        if (body.length > 0) {
            handler.encoder().writeData(to, id, Unpooled.wrappedBuffer(body), 0, true, to.newPromise());
        }
    }

    /** Through the handler and not past it: bodies wait there for their turn. */
    void flush() {
        handler.flush(started());
    }

    /** Tells the server that nobody waits for the stream any more. */
    void reset(int streamId) {
        Http2Stream stream = connection.stream(streamId);
        if (stream != null) {
            stream.removeProperty(exchangeKey);
            ChannelHandlerContext to = started();
            handler.resetStream(to, streamId, Http2Error.CANCEL.code(), to.newPromise());
            flush();
        }
    }

    void close(String reason) {
        why = reason;
        started().channel().close();
    }

    /** Whatever breaks the connection is why the requests on it fail. */
    void broken(Throwable cause) {
        why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
        heard = true;
        if (!ready) {
            ready = true;
            beat();
            owner.ready(this);
        } else {
            owner.room(this);
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
        heard = true;
        Exchange exchange = exchange(streamId);
        if (exchange == null) {
            return;
        }
        int status = status(headers, streamId);
        boolean interim = status >= 100 && status < 200;
        if (status != 0 && !interim) {
            exchange.head(new Head(status, headers));
        }
        if (endStream) {
            exchange.end();
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
        heard = true;
        int length = data.readableBytes();
        Exchange exchange = exchange(streamId);
        if (exchange != null) {
            if (length > 0) {
                exchange.data(data.nioBuffer());
            }
            if (endOfStream) {
                exchange.end();
            }
        }
        return length + padding;
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
        heard = true;
        Exchange exchange = take(connection.stream(streamId));
        if (exchange == null) {
            return;
        }
        if (errorCode == Http2Error.REFUSED_STREAM.code()) {
            exchange.notProcessed("the server refused the stream");
        } else {
            exchange.lost("the server reset the stream (%s)".formatted(name(errorCode)));
        }
    }

    @Override
    public void onPingRead(ChannelHandlerContext ctx, long data) {
        heard = true;
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext ctx, long data) {
        heard = true;
    }

    @Override
    public void onGoAwayReceived(int lastStreamId, long errorCode, ByteBuf debugData) {
        lastProcessed = lastStreamId;
        String details = debugData.toString(StandardCharsets.UTF_8);
        drain("the server ended the connection (%s%s)"
                .formatted(name(errorCode), details.isEmpty() ? "" : ": " + details));
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        Exchange exchange = take(stream);
        if (exchange != null && !exchange.done()) {
            if (stream.id() > lastProcessed) {
                exchange.notProcessed(why);
            } else {
                exchange.lost(why);
            }
        }
        if (!draining) {
            owner.room(this);
        } else {
            closeWhenIdle();
        }
    }

    private void drain(String reason) {
        why = reason;
        if (!draining) {
            draining = true;
            owner.draining(this);
        }
        closeWhenIdle();
    }

    private void closeWhenIdle() {
        // The stream that has just ended may still be counted: look when the present event is over.
        ChannelHandlerContext at = started();
        at.executor().execute(() -> {
            if (connection.numActiveStreams() == 0 && at.channel().isOpen()) {
                at.channel().close();
            }
        });
    }

    private void closed() {
        draining = true;
        if (heartbeat != null) {
            heartbeat.cancel(false);
        }
        owner.closed(this, why);
    }

    /** Asks a silent connection whether it lives; one that does not answer in time is closed. */
    private void beat() {
        ChannelHandlerContext at = started();
        heard = false;
        heartbeat = at.executor()
                .schedule(this::listenedLongEnough, limits.pingAfter().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void listenedLongEnough() {
        if (heard) {
            beat();
            return;
        }
        ChannelHandlerContext at = started();
        handler.encoder().writePing(at, false, 0, at.newPromise());
        flush();
        heartbeat = at.executor()
                .schedule(this::pingWaitedLongEnough, limits.pingTimeout().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void pingWaitedLongEnough() {
        if (heard) {
            beat();
        } else {
            close("the server was silent for %s and did not answer a ping within %s"
                    .formatted(GoDuration.format(limits.pingAfter()), GoDuration.format(limits.pingTimeout())));
        }
    }

    private @Nullable Exchange exchange(int streamId) {
        Http2Stream stream = connection.stream(streamId);
        return stream == null ? null : stream.getProperty(exchangeKey);
    }

    private @Nullable Exchange take(@Nullable Http2Stream stream) {
        return stream == null ? null : stream.removeProperty(exchangeKey);
    }

    private ChannelHandlerContext started() {
        if (context == null) {
            throw new IllegalStateException("the link is used before it was started");
        }
        return context;
    }

    /** Zero for trailers, which have no status. */
    private static int status(Http2Headers headers, int streamId) throws Http2Exception {
        CharSequence status = headers.status();
        if (status == null) {
            return 0;
        }
        try {
            return Integer.parseInt(status, 0, status.length(), 10);
        } catch (NumberFormatException noNumber) {
            throw Http2Exception.streamError(
                    streamId, Http2Error.PROTOCOL_ERROR, noNumber, "status (%s) is no number", status);
        }
    }

    private static String name(long errorCode) {
        Http2Error error = Http2Error.valueOf(errorCode);
        return error == null ? "error " + errorCode : error.name();
    }
}
