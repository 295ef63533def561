package dev.berth.kubernetes.connection;

import dev.berth.kubernetes.http2.Endpoint;
import dev.berth.kubernetes.http2.TlsSource;
import java.net.URI;
import java.util.Optional;

/**
 * All that is needed to talk to one API server.
 *
 * @param server with {@code https}; a path is put before every request's own
 * @param namespace the one that is meant where none is said
 */
public record ClusterAccess(URI server, TlsSource tls, Credentials credentials, String namespace) {
    private static final int HTTPS_PORT = 443;

    public ClusterAccess {
        if (!"https".equals(server.getScheme()) || server.getHost() == null) {
            throw new IllegalArgumentException(
                    "server (%s) must be an https address such as https://10.0.0.1:6443".formatted(server));
        }
    }

    public Endpoint endpoint() {
        String host = server.getHost();
        boolean bracketed = host.startsWith("[");
        return new Endpoint(
                bracketed ? host.substring(1, host.length() - 1) : host,
                server.getPort() < 0 ? HTTPS_PORT : server.getPort(),
                Optional.of(tls));
    }

    /** What stands before every path: empty, or the path of a server that is reached through another. */
    public String basePath() {
        String path = server.getRawPath() == null ? "" : server.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
