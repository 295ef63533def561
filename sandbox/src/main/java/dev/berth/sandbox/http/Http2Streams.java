package dev.berth.sandbox.http;

import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.WatchResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.EventExecutor;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** The streams of one HTTP/2 connection: each has one request and one response or watch. */
final class Http2Streams extends Http2FrameAdapter {

    private final Http2Handler handler;
    private final Http2Connection connection;
    private final RequestDispatcher requestDispatcher;
    private final InstantSource clock;
    private final Http2Connection.PropertyKey arrivals;
    private final Http2Connection.PropertyKey pumps;

    Http2Streams(Http2Handler handler, RequestDispatcher requestDispatcher, InstantSource clock) {
        this.handler = handler;
        this.connection = handler.connection();
        this.requestDispatcher = requestDispatcher;
        this.clock = clock;
        this.arrivals = connection.newKey();
        this.pumps = connection.newKey();
        connection.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                WatchSender pump = stream.removeProperty(pumps);
                if (pump != null) {
                    pump.close();
                }
            }
        });
        handler.encoder().flowController().listener(this::writabilityChanged);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context, int id, Http2Headers headers, int padding, boolean endOfStream) {
        Http2Stream stream = connection.stream(id);
        if (stream == null) {
            return;
        }
        if (stream.getProperty(arrivals) == null) {
            stream.setProperty(arrivals, arrival(headers));
        }
        if (endOfStream) {
            onRequestComplete(context, stream);
        }
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context,
            int id,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean endOfStream) {
        onHeadersRead(context, id, headers, padding, endOfStream);
    }

    @Override
    public int onDataRead(ChannelHandlerContext context, int id, ByteBuf data, int padding, boolean endOfStream) {
        int consumed = data.readableBytes() + padding;
        Http2Stream stream = connection.stream(id);
        IncomingRequest incomingRequest = stream == null ? null : stream.getProperty(arrivals);
        if (stream != null && incomingRequest != null) {
            incomingRequest.add(data);
            if (endOfStream) {
                onRequestComplete(context, stream);
            }
        }
        return consumed;
    }

    private void onRequestComplete(ChannelHandlerContext context, Http2Stream stream) {
        IncomingRequest incomingRequest = stream.removeProperty(arrivals);
        if (incomingRequest != null) {
            requestDispatcher.handle(incomingRequest, new Http2ResponseChannel(context, stream));
        }
    }

    private static IncomingRequest arrival(Http2Headers headers) {
        Map<String, String> plain = new HashMap<>();
        for (Iterator<Map.Entry<CharSequence, CharSequence>> each = headers.iterator(); each.hasNext(); ) {
            Map.Entry<CharSequence, CharSequence> header = each.next();
            if (header.getKey().charAt(0) != ':') {
                plain.merge(
                        header.getKey().toString(), header.getValue().toString(), (one, other) -> one + "," + other);
            }
        }
        return new IncomingRequest(text(headers.method()), text(headers.path()), plain);
    }

    private static String text(CharSequence pseudoHeader) {
        return pseudoHeader == null ? "" : pseudoHeader.toString();
    }

    private void writabilityChanged(Http2Stream stream) {
        WatchSender pump = stream.getProperty(pumps);
        if (pump != null) {
            pump.drain();
        }
    }

    private final class Http2ResponseChannel implements ResponseChannel, WatchSender.Sink {

        private final ChannelHandlerContext context;
        private final Http2Stream stream;

        Http2ResponseChannel(ChannelHandlerContext context, Http2Stream stream) {
            this.context = context;
            this.stream = stream;
        }

        @Override
        public EventExecutor eventLoop() {
            return context.executor();
        }

        @Override
        public void send(BodyResponse bodyResponse) {
            if (!isOpen()) {
                return;
            }
            List<byte[]> chunks = bodyResponse.chunks();
            Http2Headers head = new DefaultHttp2Headers(false);
            head.status(HttpResponseStatus.valueOf(bodyResponse.code()).codeAsText());
            ResponseHeaders.write(bodyResponse, clock.instant(), head::add);
            head.setInt(HttpHeaderNames.CONTENT_LENGTH, BodyBuffers.length(chunks));
            Http2ConnectionEncoder encoder = handler.encoder();
            IgnoredFutures.ignore(encoder.writeHeaders(context, stream.id(), head, 0, false, context.newPromise()));
            List<ByteBuf> parts = BodyBuffers.pack(chunks, context.alloc());
            for (int i = 0; i < parts.size(); i++) {
                boolean endOfStream = i == parts.size() - 1;
                IgnoredFutures.ignore(
                        encoder.writeData(context, stream.id(), parts.get(i), 0, endOfStream, context.newPromise()));
            }
            handler.flush(context);
        }

        @Override
        public void stream(WatchResponse watch) {
            if (!isOpen()) {
                watch.close();
                return;
            }
            Http2Headers head = new DefaultHttp2Headers(false);
            head.status(HttpResponseStatus.valueOf(watch.code()).codeAsText());
            ResponseHeaders.write(watch, clock.instant(), head::add);
            IgnoredFutures.ignore(
                    handler.encoder().writeHeaders(context, stream.id(), head, 0, false, context.newPromise()));
            handler.flush(context);
            WatchSender pump = new WatchSender(watch, this, context.executor(), context.alloc(), clock);
            stream.setProperty(pumps, pump);
            pump.start();
        }

        @Override
        public boolean isWritable() {
            return isOpen() && handler.encoder().flowController().isWritable(stream);
        }

        @Override
        public void write(ByteBuf frames) {
            IgnoredFutures.ignore(
                    handler.encoder().writeData(context, stream.id(), frames, 0, false, context.newPromise()));
            handler.flush(context);
        }

        @Override
        public void end() {
            if (isOpen()) {
                IgnoredFutures.ignore(handler.encoder()
                        .writeData(context, stream.id(), Unpooled.EMPTY_BUFFER, 0, true, context.newPromise()));
                handler.flush(context);
            }
        }

        @Override
        public void abort() {
            if (context.channel().isActive()) {
                IgnoredFutures.ignore(handler.encoder()
                        .writeRstStream(
                                context, stream.id(), Http2Error.ENHANCE_YOUR_CALM.code(), context.newPromise()));
                handler.flush(context);
            }
        }

        /** Whether the stream is still open: the client may have cancelled it. */
        private boolean isOpen() {
            return context.channel().isActive() && stream.state().localSideOpen();
        }
    }
}
