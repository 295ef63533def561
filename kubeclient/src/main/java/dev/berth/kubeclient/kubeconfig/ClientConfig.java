package dev.berth.kubeclient.kubeconfig;

import dev.berth.kubeclient.pem.FileOrInlineData;
import dev.berth.kubeclient.tls.ServerEndpoint;
import dev.berth.kubeclient.tls.TlsClientConfig;
import dev.berth.kubeclient.tls.TlsContextProvider;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The access to one API server.
 *
 * @param basePath the prefix of every path: empty, or the path of a server behind a proxy
 * @param namespace the default namespace
 */
public record ClientConfig(ServerEndpoint endpoint, String basePath, Credentials credentials, String namespace) {
    private static final int HTTPS_PORT = 443;

    public ClientConfig {
        if (!basePath.isEmpty() && (!basePath.startsWith("/") || basePath.endsWith("/"))) {
            throw new IllegalArgumentException(
                    "basePath (%s) must be empty, or begin with / and not end with one".formatted(basePath));
        }
    }

    /** Access with a bearer token to a server whose certificate this authority signed. */
    public static ClientConfig withBearerToken(URI server, String authorityPem, String token) {
        FileOrInlineData authority =
                FileOrInlineData.inline("authority", authorityPem.getBytes(StandardCharsets.US_ASCII));
        TlsClientConfig tls = new TlsClientConfig(Optional.of(authority), Optional.empty(), false, Optional.empty());
        return of(server, tls, Credentials.ofBearerToken(token), "default");
    }

    static ClientConfig of(URI server, TlsContextProvider tls, Credentials credentials, String namespace) {
        String host = server.getHost();
        boolean bracketed = host.startsWith("[");
        ServerEndpoint endpoint = new ServerEndpoint(
                bracketed ? host.substring(1, host.length() - 1) : host,
                server.getPort() < 0 ? HTTPS_PORT : server.getPort(),
                Optional.of(tls));
        String path = server.getRawPath() == null ? "" : server.getRawPath();
        return new ClientConfig(
                endpoint, path.endsWith("/") ? path.substring(0, path.length() - 1) : path, credentials, namespace);
    }
}
