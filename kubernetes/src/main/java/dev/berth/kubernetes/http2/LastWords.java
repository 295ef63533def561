package dev.berth.kubernetes.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Stands at the end of the pipeline: remembers what broke a connection, and closes it. */
@SuppressWarnings("FutureReturnValueIgnored") // a write or close that fails ends the channel, which is heard
final class LastWords extends ChannelInboundHandlerAdapter {
    static final String NAME = "last-words";

    private final Link link;

    LastWords(Link link) {
        this.link = link;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        link.broken(cause);
        ctx.close();
    }
}
