package dev.berth.sandbox.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Settings;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One HTTP/2 connection, on the lowest level of Netty, because binds must be cheap. */
final class Http2Handler extends Http2ConnectionHandler {

    /** The limit of the real server. */
    static final int MAX_STREAMS = 100;

    private static final Logger LOG = LoggerFactory.getLogger(Http2Handler.class);
    private static final int WINDOW = 1024 * 1024;
    private static final int MAX_HEADER_BYTES = 64 * 1024;

    private Http2Handler(
            Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings initialSettings) {
        super(decoder, encoder, initialSettings);
    }

    static Http2Handler create(RequestDispatcher requestDispatcher, InstantSource clock) {
        return new Builder(requestDispatcher, clock).build();
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext context,
            boolean outbound,
            Throwable cause,
            io.netty.handler.codec.http2.Http2Exception http2Cause) {
        LOG.debug("connection ({}) broke", context.channel(), cause);
        super.onConnectionError(context, outbound, cause, http2Cause);
    }

    private static final class Builder extends AbstractHttp2ConnectionHandlerBuilder<Http2Handler, Builder> {

        private final RequestDispatcher requestDispatcher;
        private final InstantSource clock;

        Builder(RequestDispatcher requestDispatcher, InstantSource clock) {
            this.requestDispatcher = requestDispatcher;
            this.clock = clock;
            server(true);
            initialSettings(Http2Settings.defaultSettings()
                    .maxConcurrentStreams(MAX_STREAMS)
                    .initialWindowSize(WINDOW)
                    .maxHeaderListSize(MAX_HEADER_BYTES));
            // Clients may cancel any number of watches.
            decoderEnforceMaxRstFramesPerWindow(0, 0);
        }

        @Override
        public Http2Handler build() {
            return super.build();
        }

        @Override
        protected Http2Handler build(
                Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
            Http2Handler handler = new Http2Handler(decoder, encoder, settings);
            frameListener(new Http2Streams(handler, requestDispatcher, clock));
            return handler;
        }
    }
}
