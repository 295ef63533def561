package dev.berth.embedded.http;

import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.WatchStream;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.EventExecutor;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One HTTP/1.1 connection: one request after the other; a watch is the last one of its connection. */
final class Http1Handler extends SimpleChannelInboundHandler<HttpObject> {

    private static final Logger LOG = LoggerFactory.getLogger(Http1Handler.class);

    private final Gateway gateway;
    private final InstantSource clock;
    private @Nullable Arrival arrival;
    private @Nullable WatchPump pump;
    private boolean keepAlive;

    Http1Handler(Gateway gateway, InstantSource clock) {
        this.gateway = gateway;
        this.clock = clock;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (part.decoderResult().isFailure() || pump != null) {
            // Nonsense, or a second request behind a watch: there is no sensible answer on this connection.
            Outcomes.unneeded(context.close());
            return;
        }
        if (part instanceof HttpRequest request) {
            keepAlive = HttpUtil.isKeepAlive(request);
            arrival = new Arrival(request.method().name(), request.uri(), headers(request));
        }
        Arrival current = arrival;
        if (part instanceof HttpContent content && current != null) {
            current.add(content.content());
            if (part instanceof LastHttpContent) {
                arrival = null;
                // The next request waits until this one is answered.
                context.channel().config().setAutoRead(false);
                gateway.handle(current, new ToChannel(context));
            }
        }
    }

    private static Map<String, String> headers(HttpRequest request) {
        Map<String, String> headers = new HashMap<>();
        for (Map.Entry<String, String> each : request.headers()) {
            headers.merge(each.getKey().toLowerCase(Locale.ROOT), each.getValue(), (one, other) -> one + "," + other);
        }
        return headers;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (pump != null && context.channel().isWritable()) {
            pump.drain();
        }
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (pump != null) {
            pump.close();
        }
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("connection ({}) broke", context.channel(), cause);
        Outcomes.unneeded(context.close());
    }

    private final class ToChannel implements Outlet, WatchPump.Sink {

        private final ChannelHandlerContext context;

        ToChannel(ChannelHandlerContext context) {
            this.context = context;
        }

        @Override
        public EventExecutor loop() {
            return context.executor();
        }

        @Override
        public void send(Answer answer) {
            List<byte[]> chunks = answer.chunks();
            HttpResponse head = head(answer.code());
            Heads.write(answer, clock.instant(), (name, value) -> head.headers().add(name, value));
            head.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, Buffers.length(chunks));
            if (!keepAlive) {
                head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            Outcomes.unneeded(context.write(head));
            for (ByteBuf part : Buffers.pack(chunks, context.alloc())) {
                Outcomes.unneeded(context.write(new DefaultHttpContent(part)));
            }
            ChannelFuture written = context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
            if (keepAlive) {
                context.channel().config().setAutoRead(true);
            } else {
                Outcomes.unneeded(written.addListener(ChannelFutureListener.CLOSE));
            }
        }

        @Override
        public void stream(WatchStream watch) {
            HttpResponse head = head(watch.code());
            Heads.write(watch, clock.instant(), (name, value) -> head.headers().add(name, value));
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            Outcomes.unneeded(context.writeAndFlush(head));
            WatchPump started = new WatchPump(watch, this, context.executor(), context.alloc(), clock);
            pump = started;
            // Reading on is how the end of the client is noticed.
            context.channel().config().setAutoRead(true);
            started.start();
        }

        @Override
        public boolean isWritable() {
            return context.channel().isWritable();
        }

        @Override
        public void write(ByteBuf frames) {
            Outcomes.unneeded(context.writeAndFlush(new DefaultHttpContent(frames)));
        }

        @Override
        public void end() {
            ChannelFuture written = context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
            pump = null;
            if (!keepAlive) {
                Outcomes.unneeded(written.addListener(ChannelFutureListener.CLOSE));
            }
        }

        @Override
        public void abort() {
            pump = null;
            Outcomes.unneeded(context.close());
        }

        private static HttpResponse head(int code) {
            return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code));
        }
    }
}
