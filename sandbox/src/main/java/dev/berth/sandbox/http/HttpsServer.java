package dev.berth.sandbox.http;

import dev.berth.kubeclient.tls.ServerCertificate;
import dev.berth.sandbox.apiserver.InMemoryApiServer;
import dev.berth.sandbox.authentication.TokenAuthenticator;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerExpectContinueHandler;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves an API server over HTTPS on the loopback address until it is closed. */
public final class HttpsServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpsServer.class);
    private static final int MAX_EVENT_LOOPS = 4;
    private static final int MAX_BLOCKING_THREADS = 32;
    private static final int MAX_BLOCKED_REQUESTS = 1_000;
    private static final int MAX_REQUEST_LINE = 64 * 1024;
    private static final int MAX_CHUNK = 64 * 1024;

    private final EventLoopGroup eventLoops;
    private final ThreadPoolExecutor blockingExecutor;
    private final ChannelGroup openChannels = new DefaultChannelGroup("embedded-api", GlobalEventExecutor.INSTANCE);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Channel listener;

    /** Starts to serve; port 0 takes any free port. The API server is requested last. */
    public HttpsServer(
            Supplier<InMemoryApiServer> server,
            TokenAuthenticator tokenAuthenticator,
            ServerCertificate identity,
            int port,
            InstantSource clock,
            RequestInterceptor requestInterceptor)
            throws IOException {
        SslContext tls = tls(identity);
        this.eventLoops = new MultiThreadIoEventLoopGroup(
                Math.min(MAX_EVENT_LOOPS, Math.max(2, Runtime.getRuntime().availableProcessors())),
                new DefaultThreadFactory("embedded-api", true),
                NioIoHandler.newFactory());
        this.blockingExecutor = new ThreadPoolExecutor(
                MAX_BLOCKING_THREADS,
                MAX_BLOCKING_THREADS,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_BLOCKED_REQUESTS),
                new DefaultThreadFactory("embedded-api-waiting", true));
        blockingExecutor.allowCoreThreadTimeOut(true);
        RequestDispatcher requestDispatcher =
                new RequestDispatcher(server.get(), tokenAuthenticator, blockingExecutor, requestInterceptor);
        try {
            this.listener = bind(new ChannelSetup(tls, requestDispatcher, clock, openChannels), port);
        } catch (IOException failure) {
            shutDownThreads();
            throw failure;
        }
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Closes all connections and threads. A second call has no effect. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        listener.close().syncUninterruptibly();
        openChannels.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
        shutDownThreads();
    }

    private void shutDownThreads() {
        blockingExecutor.shutdownNow();
        boolean ended =
                eventLoops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
        if (!ended) {
            LOG.warn("the threads of the sandbox API server did not end within 10 s");
        }
    }

    private Channel bind(ChannelSetup channelSetup, int port) throws IOException {
        var bound = new ServerBootstrap()
                .group(eventLoops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(channelSetup)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .awaitUninterruptibly();
        if (bound.isSuccess()) {
            return bound.channel();
        }
        Throwable cause = bound.cause();
        if (cause instanceof BindException) {
            throw new PortInUseException(port, cause);
        }
        throw new IOException("port (" + port + ") cannot be listened on", cause);
    }

    private static SslContext tls(ServerCertificate identity) throws SSLException {
        return SslContextBuilder.forServer(identity.key(), identity.certificate(), identity.caCertificate())
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2,
                        ApplicationProtocolNames.HTTP_1_1))
                .build();
    }

    private static final class ChannelSetup extends ChannelInitializer<SocketChannel> {

        private final SslContext tls;
        private final RequestDispatcher requestDispatcher;
        private final InstantSource clock;
        private final ChannelGroup open;

        ChannelSetup(SslContext tls, RequestDispatcher requestDispatcher, InstantSource clock, ChannelGroup open) {
            this.tls = tls;
            this.requestDispatcher = requestDispatcher;
            this.clock = clock;
            this.open = open;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            open.add(channel);
            channel.pipeline()
                    .addLast(tls.newHandler(channel.alloc()), new ProtocolNegotiation(requestDispatcher, clock));
        }
    }

    private static final class ProtocolNegotiation extends ApplicationProtocolNegotiationHandler {

        private final RequestDispatcher requestDispatcher;
        private final InstantSource clock;

        ProtocolNegotiation(RequestDispatcher requestDispatcher, InstantSource clock) {
            super(ApplicationProtocolNames.HTTP_1_1);
            this.requestDispatcher = requestDispatcher;
            this.clock = clock;
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext context, String protocol) {
            if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                context.pipeline().addLast(Http2Handler.create(requestDispatcher, clock));
                return;
            }
            context.pipeline()
                    .addLast(
                            new HttpServerCodec(MAX_REQUEST_LINE, MAX_REQUEST_LINE, MAX_CHUNK),
                            new HttpServerExpectContinueHandler(),
                            new FlowControlHandler(),
                            new Http1Handler(requestDispatcher, clock));
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
            LOG.debug("handshake on ({}) failed", context.channel(), cause);
            IgnoredFutures.ignore(context.close());
        }
    }
}
