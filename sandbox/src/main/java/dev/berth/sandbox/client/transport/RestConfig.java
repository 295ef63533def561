package dev.berth.sandbox.client.transport;

import java.net.URI;
import java.util.Optional;

/**
 * The address of an API server and the credentials for it.
 *
 * @param server the base address, {@code https://host:port} with an optional path
 * @param caCertificatePem the PEM certificates to trust; empty trusts those of the Java runtime
 * @param token a bearer token
 */
public record RestConfig(URI server, Optional<String> caCertificatePem, Optional<String> token) {
    public RestConfig {
        String scheme = String.valueOf(server.getScheme());
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("server (%s) must begin with https:// or http://".formatted(server));
        }
    }

    public static RestConfig withoutCredentials(URI server) {
        return new RestConfig(server, Optional.empty(), Optional.empty());
    }

    public RestConfig withToken(String bearer) {
        return new RestConfig(server, caCertificatePem, Optional.of(bearer));
    }

    public RestConfig withCaCertificate(String pem) {
        return new RestConfig(server, Optional.of(pem), token);
    }

    boolean usesTls() {
        return server.getScheme().equals("https");
    }

    @Override
    public String toString() {
        return "RestConfig[server=" + server + ", token=" + (token.isPresent() ? "hidden" : "none") + "]";
    }
}
