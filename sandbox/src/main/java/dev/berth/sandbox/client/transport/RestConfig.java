package dev.berth.sandbox.client.transport;

import java.net.URI;
import java.util.Optional;

/**
 * Where an API server is and as whom to speak to it.
 *
 * @param server the base address, {@code https://host:port} with an optional path
 * @param caCertificatePem the PEM certificates to trust; empty trusts those of the Java runtime
 * @param token a bearer token
 * @param clientCertificate a client certificate with its key
 * @param insecureSkipTlsVerify whether to accept any server certificate
 */
public record RestConfig(
        URI server,
        Optional<String> caCertificatePem,
        Optional<String> token,
        Optional<ClientCertificate> clientCertificate,
        boolean insecureSkipTlsVerify) {

    /** A client certificate chain and its private key, both in PEM. */
    public record ClientCertificate(String certificatePem, String keyPem) {
        @Override
        public String toString() {
            return "Identity[certificate=" + certificatePem.length() + " characters, key=hidden]";
        }
    }

    public RestConfig {
        String scheme = String.valueOf(server.getScheme());
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("server (%s) must begin with https:// or http://".formatted(server));
        }
    }

    public static RestConfig withoutCredentials(URI server) {
        return new RestConfig(server, Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    public RestConfig withToken(String bearer) {
        return new RestConfig(server, caCertificatePem, Optional.of(bearer), clientCertificate, insecureSkipTlsVerify);
    }

    public RestConfig withCaCertificate(String pem) {
        return new RestConfig(server, Optional.of(pem), token, clientCertificate, insecureSkipTlsVerify);
    }

    boolean usesTls() {
        return server.getScheme().equals("https");
    }

    @Override
    public String toString() {
        return "ServerAccess[server=" + server + ", token=" + (token.isPresent() ? "hidden" : "none") + "]";
    }
}
