package dev.berth.kubernetes.http2;

import static java.util.Objects.requireNonNull;

import dev.berth.kubeclient.tls.ServerEndpoint;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP/2 server without TLS whose answers a test writes as code. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails shows on the client's side
public final class ScriptedServer implements AutoCloseable {
    /** What the server does with a request, on the thread of its connection. */
    @FunctionalInterface
    public interface Script {
        void serve(IncomingRequest request);
    }

    private static final long SILENT = 7;

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel listening;
    private final Script script;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger mostOpen = new AtomicInteger();
    private final Queue<Long> resets = new ConcurrentLinkedQueue<>();

    private ScriptedServer(int port, Http2Settings settings, Optional<SslContext> tls, Script script) {
        this.script = script;
        this.listening = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.incrementAndGet();
                        tls.ifPresent(context -> channel.pipeline().addLast(context.newHandler(channel.alloc())));
                        channel.pipeline()
                                .addLast(
                                        Http2FrameCodecBuilder.forServer()
                                                .initialSettings(settings)
                                                .autoAckPingFrame(
                                                        requireNonNull(settings.maxConcurrentStreams()) != SILENT)
                                                .build(),
                                        new Requests());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .syncUninterruptibly()
                .channel();
    }

    public static ScriptedServer serving(Script script) {
        return new ScriptedServer(0, streams(100), Optional.empty(), script);
    }

    /** One that takes no more than so many bytes of headers. */
    static ScriptedServer withMaxHeaderListSize(long bytes, Script script) {
        return new ScriptedServer(0, streams(100).maxHeaderListSize(bytes), Optional.empty(), script);
    }

    private static Http2Settings streams(long most) {
        return Http2Settings.defaultSettings().maxConcurrentStreams(most);
    }

    static ScriptedServer serving(long maxStreams, Script script) {
        return new ScriptedServer(0, streams(maxStreams), Optional.empty(), script);
    }

    static ScriptedServer servingOn(int port, Script script) {
        return new ScriptedServer(port, streams(100), Optional.empty(), script);
    }

    public static ScriptedServer serving(SslContext tls, Script script) {
        return new ScriptedServer(0, streams(100), Optional.of(tls), script);
    }

    /** One that answers neither requests nor pings. */
    static ScriptedServer silent() {
        return new ScriptedServer(0, streams(SILENT), Optional.empty(), in -> {});
    }

    public ServerEndpoint endpoint() {
        return new ServerEndpoint("127.0.0.1", port(), Optional.empty());
    }

    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    int connections() {
        return connections.get();
    }

    int maxOpenStreams() {
        return mostOpen.get();
    }

    Queue<Long> resets() {
        return resets;
    }

    @Override
    public void close() {
        if (!listening.isOpen()) {
            return;
        }
        listening.close().syncUninterruptibly();
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** A request and the means to answer it. */
    public static final class IncomingRequest {
        private final ChannelHandlerContext context;
        private final Http2FrameStream stream;
        private final Http2Headers headers;
        private final Runnable ended;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        private IncomingRequest(
                ChannelHandlerContext context, Http2FrameStream stream, Http2Headers headers, Runnable ended) {
            this.context = context;
            this.stream = stream;
            this.headers = headers;
            this.ended = ended;
        }

        public String method() {
            return headers.method().toString();
        }

        public String path() {
            return headers.path().toString();
        }

        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name)).map(CharSequence::toString);
        }

        public String body() {
            return body.toString(StandardCharsets.UTF_8);
        }

        public byte[] bytes() {
            return body.toByteArray();
        }

        public void reply(int status, String text) {
            head(status, "text/plain");
            data(text.getBytes(StandardCharsets.UTF_8));
            end();
        }

        public void head(int status, String contentType) {
            Http2Headers head =
                    new DefaultHttp2Headers().status(Integer.toString(status)).set("content-type", contentType);
            context.writeAndFlush(new DefaultHttp2HeadersFrame(head, false).stream(stream));
        }

        public void data(byte[] bytes) {
            context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(bytes), false).stream(stream));
        }

        public void end() {
            ended.run();
            context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.EMPTY_BUFFER, true).stream(stream));
        }

        void reset(Http2Error error) {
            ended.run();
            context.writeAndFlush(new DefaultHttp2ResetFrame(error).stream(stream));
        }

        int streamId() {
            return stream.id();
        }

        /** Says that this stream and those before it are served, and no others. */
        void goAway(int extraStreams) {
            DefaultHttp2GoAwayFrame frame = new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR);
            frame.setExtraStreamIds(extraStreams);
            context.writeAndFlush(frame);
        }

        public void dropConnection() {
            context.channel().close();
        }

        void schedule(Runnable task, long millis) {
            context.executor().schedule(task, millis, TimeUnit.MILLISECONDS);
        }

        /** Runs on the connection's thread. */
        public void run(Runnable task) {
            context.executor().execute(task);
        }
    }

    private final class Requests extends ChannelInboundHandlerAdapter {
        private final Map<Http2FrameStream, IncomingRequest> requests = new HashMap<>();
        private int open;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try {
                if (message instanceof Http2HeadersFrame head) {
                    opened(ctx, head);
                } else if (message instanceof Http2DataFrame data) {
                    IncomingRequest request = requireNonNull(requests.get(data.stream()), "data before headers");
                    byte[] bytes = new byte[data.content().readableBytes()];
                    data.content().readBytes(bytes);
                    request.body.writeBytes(bytes);
                    if (data.isEndStream()) {
                        script.serve(request);
                    }
                } else if (message instanceof Http2ResetFrame reset) {
                    resets.add(reset.errorCode());
                    open--;
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void opened(ChannelHandlerContext ctx, Http2HeadersFrame head) {
            open++;
            mostOpen.accumulateAndGet(open, Math::max);
            IncomingRequest request = new IncomingRequest(ctx, head.stream(), head.headers(), () -> open--);
            requests.put(head.stream(), request);
            if (head.isEndStream()) {
                script.serve(request);
            }
        }
    }
}
