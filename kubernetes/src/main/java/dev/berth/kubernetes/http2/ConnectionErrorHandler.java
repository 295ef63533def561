package dev.berth.kubernetes.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** The last handler of the pipeline: records the error that broke a connection, and closes it. */
@SuppressWarnings("FutureReturnValueIgnored") // a write or close that fails closes the channel, which is handled there
final class ConnectionErrorHandler extends ChannelInboundHandlerAdapter {
    static final String NAME = "connection-errors";

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
