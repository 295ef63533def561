package dev.berth.kubeclient.tls;

import java.util.Optional;

/** The address of a server. Without TLS the server must speak HTTP/2 from the first byte. */
public record ServerEndpoint(String host, int port, Optional<TlsContextProvider> tls) {
    private static final int HTTPS_PORT = 443;

    public ServerEndpoint {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host (%s) is blank".formatted(host));
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port (%d) must be from 1 to 65535".formatted(port));
        }
    }

    public String scheme() {
        return tls.isPresent() ? "https" : "http";
    }

    /** The value of {@code :authority}: an IPv6 address in brackets, and the port unless it is the default. */
    public String authority() {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == HTTPS_PORT && tls.isPresent() ? name : name + ":" + port;
    }

    @Override
    public String toString() {
        return scheme() + "://" + authority();
    }
}
