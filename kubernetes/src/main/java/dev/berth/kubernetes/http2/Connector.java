package dev.berth.kubernetes.http2;

import dev.berth.kubernetes.time.GoDuration;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Makes connections: TCP, then TLS with the server's agreement to speak HTTP/2. */
@SuppressWarnings("FutureReturnValueIgnored") // a write or close that fails ends the channel, which is heard
final class Connector {
    /** Without a pool, whose upkeep costs a program that has just been started more than it saves. */
    private static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(false);

    private final Endpoint endpoint;
    private final Limits limits;
    private final RequestHeaders headers;

    Connector(Endpoint endpoint, Limits limits) {
        this.endpoint = endpoint;
        this.limits = limits;
        this.headers = new RequestHeaders(endpoint);
    }

    RequestHeaders headers() {
        return headers;
    }

    /**
     * Connects and starts the link.
     *
     * @return done when the link is started; the server's settings, which make it ready, come later
     */
    CompletableFuture<Void> connect(EventLoop loop, Link link) {
        CompletableFuture<Void> started = new CompletableFuture<>();
        ChannelFuture connected = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, BUFFERS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        limits.connectTimeout().toMillis())
                .handler(new FirstHandler(link))
                .connect(InetSocketAddress.createUnresolved(endpoint.host(), endpoint.port()));
        connected.addListener(future -> {
            if (future.isSuccess()) {
                secure(connected.channel(), link, started);
            } else {
                started.completeExceptionally(explain(future.cause()));
            }
        });
        return started;
    }

    /** Java says of an unknown host the first time why, and then, for as long as it remembers, its name alone. */
    private Throwable explain(Throwable cause) {
        return cause instanceof UnknownHostException
                ? new IOException("the host name (%s) cannot be resolved".formatted(endpoint.host()), cause)
                : cause;
    }

    private void secure(Channel channel, Link link, CompletableFuture<Void> started) {
        if (endpoint.tls().isEmpty()) {
            start(channel, link, started);
            return;
        }
        TlsSource source = endpoint.tls().get();
        SslHandler tls;
        try {
            tls = handler(channel, source);
        } catch (IOException unusable) {
            fail(channel, started, unusable);
            return;
        }
        channel.pipeline().addFirst(tls);
        tls.handshakeFuture().addListener(shaken -> {
            if (!shaken.isSuccess()) {
                fail(channel, started, source.explain(shaken.cause()));
            } else if (!ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol())) {
                fail(channel, started, new IOException("the server does not speak HTTP/2, which Berth needs"));
            } else {
                start(channel, link, started);
            }
        });
    }

    private SslHandler handler(Channel channel, TlsSource source) throws IOException {
        SslContext context = source.context();
        SslHandler tls =
                context.newHandler(channel.alloc(), source.serverName().orElse(endpoint.host()), endpoint.port());
        tls.setHandshakeTimeoutMillis(limits.connectTimeout().toMillis());
        return tls;
    }

    private void start(Channel channel, Link link, CompletableFuture<Void> started) {
        try {
            link.start(channel);
        } catch (Http2Exception unusable) {
            fail(channel, started, unusable);
            return;
        }
        channel.eventLoop()
                .schedule(
                        () -> {
                            if (!link.ready() && channel.isOpen()) {
                                link.close("the server sent no HTTP/2 settings within "
                                        + GoDuration.format(limits.connectTimeout()));
                            }
                        },
                        limits.connectTimeout().toNanos(),
                        TimeUnit.NANOSECONDS);
        started.complete(null);
    }

    private static void fail(Channel channel, CompletableFuture<Void> started, Throwable cause) {
        channel.close();
        started.completeExceptionally(cause);
    }

    /** The other handlers are added once the channel is connected. A handshake that fails is heard from the first on. */
    private static final class FirstHandler extends ChannelInitializer<Channel> {
        private final Link link;

        private FirstHandler(Link link) {
            this.link = link;
        }

        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline().addLast(LastWords.NAME, new LastWords(link));
        }
    }
}
