package dev.berth.embedded.client.transport;

import java.net.URI;
import java.util.Optional;

/**
 * Where an API server is and as whom to speak to it.
 *
 * @param server the base address, {@code https://host:port} with an optional path
 * @param authority the PEM certificates to trust; empty trusts those of the Java runtime
 * @param token a bearer token
 * @param identity a client certificate with its key
 * @param unverified whether to accept any server certificate
 */
public record ServerAccess(
        URI server,
        Optional<String> authority,
        Optional<String> token,
        Optional<Identity> identity,
        boolean unverified) {

    /** A client certificate chain and its private key, both in PEM. */
    public record Identity(String certificate, String key) {
        @Override
        public String toString() {
            return "Identity[certificate=" + certificate.length() + " characters, key=hidden]";
        }
    }

    public ServerAccess {
        String scheme = String.valueOf(server.getScheme());
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("server (%s) must begin with https:// or http://".formatted(server));
        }
    }

    public static ServerAccess plain(URI server) {
        return new ServerAccess(server, Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    public ServerAccess withToken(String bearer) {
        return new ServerAccess(server, authority, Optional.of(bearer), identity, unverified);
    }

    public ServerAccess trusting(String pem) {
        return new ServerAccess(server, Optional.of(pem), token, identity, unverified);
    }

    boolean secure() {
        return server.getScheme().equals("https");
    }

    @Override
    public String toString() {
        return "ServerAccess[server=" + server + ", token=" + (token.isPresent() ? "hidden" : "none") + "]";
    }
}
