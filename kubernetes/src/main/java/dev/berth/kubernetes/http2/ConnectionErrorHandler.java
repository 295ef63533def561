package dev.berth.kubernetes.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Stands at the end of the pipeline: remembers what broke a connection, and closes it. */
@SuppressWarnings("FutureReturnValueIgnored") // a write or close that fails ends the channel, which is heard
final class ConnectionErrorHandler extends ChannelInboundHandlerAdapter {
    static final String NAME = "last-words";

    private final ClientConnection connection;

    ConnectionErrorHandler(ClientConnection clientConnection) {
        this.connection = clientConnection;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        connection.recordError(cause);
        ctx.close();
    }
}
