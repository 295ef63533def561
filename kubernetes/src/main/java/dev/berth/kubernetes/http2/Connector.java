package dev.berth.kubernetes.http2;

import dev.berth.kubeclient.tls.ServerEndpoint;
import dev.berth.kubeclient.tls.TlsContextProvider;
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

/** Opens connections: TCP, then TLS with HTTP/2 by ALPN. */
@SuppressWarnings("FutureReturnValueIgnored") // a write or close that fails closes the channel, which is handled there
final class Connector {
    /** Without a pool: its maintenance costs a short-lived program more than it saves. */
    private static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(false);

    private final ServerEndpoint endpoint;
    private final ConnectionSettings connectionSettings;
    private final RequestHeaders requestHeaders;

    Connector(ServerEndpoint endpoint, ConnectionSettings connectionSettings) {
        this.endpoint = endpoint;
        this.connectionSettings = connectionSettings;
        this.requestHeaders = new RequestHeaders(endpoint);
    }

    RequestHeaders requestHeaders() {
        return requestHeaders;
    }

    /**
     * Connects and starts the connection.
     *
     * @return completes when the connection is started; the server's settings, which make it ready, come later
     */
    CompletableFuture<Void> connect(EventLoop loop, ClientConnection clientConnection) {
        CompletableFuture<Void> started = new CompletableFuture<>();
        ChannelFuture connected = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, BUFFERS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        connectionSettings.connectTimeout().toMillis())
                .handler(new PipelineInitializer(clientConnection))
                .connect(InetSocketAddress.createUnresolved(endpoint.host(), endpoint.port()));
        connected.addListener(future -> {
            if (future.isSuccess()) {
                startTls(connected.channel(), clientConnection, started);
            } else {
                started.completeExceptionally(explain(future.cause()));
            }
        });
        return started;
    }

    /** For an unknown host Java gives the reason only the first time, and only the name while the failure is cached. */
    private Throwable explain(Throwable cause) {
        return cause instanceof UnknownHostException
                ? new IOException("the host name (%s) cannot be resolved".formatted(endpoint.host()), cause)
                : cause;
    }

    private void startTls(Channel channel, ClientConnection clientConnection, CompletableFuture<Void> started) {
        if (endpoint.tls().isEmpty()) {
            startHttp2(channel, clientConnection, started);
            return;
        }
        TlsContextProvider source = endpoint.tls().get();
        SslHandler tls;
        try {
            tls = tlsHandler(channel, source);
        } catch (IOException unusable) {
            fail(channel, started, unusable);
            return;
        }
        channel.pipeline().addFirst(tls);
        tls.handshakeFuture().addListener(handshake -> {
            if (!handshake.isSuccess()) {
                fail(channel, started, source.explainHandshakeFailure(handshake.cause()));
            } else if (!ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol())) {
                fail(channel, started, new IOException("the server does not speak HTTP/2, which Berth needs"));
            } else {
                startHttp2(channel, clientConnection, started);
            }
        });
    }

    private SslHandler tlsHandler(Channel channel, TlsContextProvider source) throws IOException {
        SslContext context = source.context();
        SslHandler tls =
                context.newHandler(channel.alloc(), source.serverName().orElse(endpoint.host()), endpoint.port());
        tls.setHandshakeTimeoutMillis(connectionSettings.connectTimeout().toMillis());
        return tls;
    }

    private void startHttp2(Channel channel, ClientConnection clientConnection, CompletableFuture<Void> started) {
        try {
            clientConnection.start(channel);
        } catch (Http2Exception unusable) {
            fail(channel, started, unusable);
            return;
        }
        channel.eventLoop()
                .schedule(
                        () -> {
                            if (!clientConnection.isReady() && channel.isOpen()) {
                                clientConnection.close("the server sent no HTTP/2 settings within "
                                        + GoDuration.format(connectionSettings.connectTimeout()));
                            }
                        },
                        connectionSettings.connectTimeout().toNanos(),
                        TimeUnit.NANOSECONDS);
        started.complete(null);
    }

    private static void fail(Channel channel, CompletableFuture<Void> started, Throwable cause) {
        channel.close();
        started.completeExceptionally(cause);
    }

    /**
     * The other handlers are added once the channel is connected. A failed handshake is reported from the first one on.
     */
    private static final class PipelineInitializer extends ChannelInitializer<Channel> {
        private final ClientConnection clientConnection;

        private PipelineInitializer(ClientConnection clientConnection) {
            this.clientConnection = clientConnection;
        }

        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline().addLast(ConnectionErrorHandler.NAME, new ConnectionErrorHandler(clientConnection));
        }
    }
}
