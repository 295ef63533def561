package dev.berth.sandbox.http;

import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.WatchResponse;
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

/** One HTTP/1.1 connection with one request at a time; a watch is the last request of its connection. */
final class Http1Handler extends SimpleChannelInboundHandler<HttpObject> {

    private static final Logger LOG = LoggerFactory.getLogger(Http1Handler.class);

    private final RequestDispatcher requestDispatcher;
    private final InstantSource clock;
    private @Nullable IncomingRequest incomingRequest;
    private @Nullable WatchSender pump;
    private boolean keepAlive;

    Http1Handler(RequestDispatcher requestDispatcher, InstantSource clock) {
        this.requestDispatcher = requestDispatcher;
        this.clock = clock;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (part.decoderResult().isFailure() || pump != null) {
            // Invalid input, or a second request after a watch: close the connection.
            IgnoredFutures.ignore(context.close());
            return;
        }
        if (part instanceof HttpRequest request) {
            keepAlive = HttpUtil.isKeepAlive(request);
            incomingRequest = new IncomingRequest(request.method().name(), request.uri(), headers(request));
        }
        IncomingRequest current = incomingRequest;
        if (part instanceof HttpContent content && current != null) {
            current.add(content.content());
            if (part instanceof LastHttpContent) {
                incomingRequest = null;
                // The next request waits for the response to this one.
                context.channel().config().setAutoRead(false);
                requestDispatcher.handle(current, new Http1ResponseChannel(context));
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
        IgnoredFutures.ignore(context.close());
    }

    private final class Http1ResponseChannel implements ResponseChannel, WatchSender.Sink {

        private final ChannelHandlerContext context;

        Http1ResponseChannel(ChannelHandlerContext context) {
            this.context = context;
        }

        @Override
        public EventExecutor eventLoop() {
            return context.executor();
        }

        @Override
        public void send(BodyResponse bodyResponse) {
            List<byte[]> chunks = bodyResponse.chunks();
            HttpResponse head = head(bodyResponse.code());
            ResponseHeaders.write(
                    bodyResponse,
                    clock.instant(),
                    (name, value) -> head.headers().add(name, value));
            head.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, BodyBuffers.length(chunks));
            if (!keepAlive) {
                head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            IgnoredFutures.ignore(context.write(head));
            for (ByteBuf part : BodyBuffers.pack(chunks, context.alloc())) {
                IgnoredFutures.ignore(context.write(new DefaultHttpContent(part)));
            }
            ChannelFuture written = context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
            if (keepAlive) {
                context.channel().config().setAutoRead(true);
            } else {
                IgnoredFutures.ignore(written.addListener(ChannelFutureListener.CLOSE));
            }
        }

        @Override
        public void stream(WatchResponse watch) {
            HttpResponse head = head(watch.code());
            ResponseHeaders.write(
                    watch, clock.instant(), (name, value) -> head.headers().add(name, value));
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            IgnoredFutures.ignore(context.writeAndFlush(head));
            WatchSender started = new WatchSender(watch, this, context.executor(), context.alloc(), clock);
            pump = started;
            // Keep reading, to notice when the client disconnects.
            context.channel().config().setAutoRead(true);
            started.start();
        }

        @Override
        public boolean isWritable() {
            return context.channel().isWritable();
        }

        @Override
        public void write(ByteBuf frames) {
            IgnoredFutures.ignore(context.writeAndFlush(new DefaultHttpContent(frames)));
        }

        @Override
        public void end() {
            ChannelFuture written = context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
            pump = null;
            if (!keepAlive) {
                IgnoredFutures.ignore(written.addListener(ChannelFutureListener.CLOSE));
            }
        }

        @Override
        public void abort() {
            pump = null;
            IgnoredFutures.ignore(context.close());
        }

        private static HttpResponse head(int code) {
            return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code));
        }
    }
}
