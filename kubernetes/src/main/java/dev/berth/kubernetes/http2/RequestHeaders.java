package dev.berth.kubernetes.http2;

import dev.berth.kubeclient.tls.ServerEndpoint;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.util.List;

/** Builds the headers of a request, including those that all requests to one server have in common. */
final class RequestHeaders {
    private final AsciiString scheme;
    private final AsciiString authority;

    RequestHeaders(ServerEndpoint endpoint) {
        this.scheme = AsciiString.cached(endpoint.scheme());
        this.authority = AsciiString.cached(endpoint.authority());
    }

    Http2Headers encode(Request request) {
        List<Request.Header> headers = request.headers();
        AsciiString[] others = new AsciiString[headers.size() * 2];
        for (int i = 0; i < headers.size(); i++) {
            others[2 * i] = AsciiString.of(headers.get(i).name());
            others[2 * i + 1] = AsciiString.of(headers.get(i).value());
        }
        return ReadOnlyHttp2Headers.clientHeaders(
                false, AsciiString.of(request.method()), AsciiString.of(request.path()), scheme, authority, others);
    }
}
