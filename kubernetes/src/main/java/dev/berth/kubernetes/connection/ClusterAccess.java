package dev.berth.kubernetes.connection;

import dev.berth.kubernetes.http2.Endpoint;
import dev.berth.kubernetes.http2.TlsSource;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * All that is needed to talk to one API server.
 *
 * @param basePath what stands before every path: empty, or the path of a server that is reached through another
 * @param namespace the one that is meant where none is said
 */
public record ClusterAccess(Endpoint endpoint, String basePath, Credentials credentials, String namespace) {
    private static final int HTTPS_PORT = 443;

    public ClusterAccess {
        if (!basePath.isEmpty() && (!basePath.startsWith("/") || basePath.endsWith("/"))) {
            throw new IllegalArgumentException(
                    "basePath (%s) must be empty, or begin with / and not end with one".formatted(basePath));
        }
    }

    /** Access to a server whose certificate this authority signed, by a bearer token. */
    public static ClusterAccess byToken(URI server, String authorityPem, String token) {
        Material authority = Material.inline("authority", authorityPem.getBytes(StandardCharsets.US_ASCII));
        TlsMaterial tls = new TlsMaterial(Optional.of(authority), Optional.empty(), false, Optional.empty());
        return of(server, tls, Credentials.token(token), "default");
    }

    static ClusterAccess of(URI server, TlsSource tls, Credentials credentials, String namespace) {
        String host = server.getHost();
        boolean bracketed = host.startsWith("[");
        Endpoint endpoint = new Endpoint(
                bracketed ? host.substring(1, host.length() - 1) : host,
                server.getPort() < 0 ? HTTPS_PORT : server.getPort(),
                Optional.of(tls));
        String path = server.getRawPath() == null ? "" : server.getRawPath();
        return new ClusterAccess(
                endpoint, path.endsWith("/") ? path.substring(0, path.length() - 1) : path, credentials, namespace);
    }
}
