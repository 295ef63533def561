package dev.berth.testkit.controlplane;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The access to an API server: its address, its authority and a token. */
public record ApiServerAccess(URI url, String caPem, String token) {

    public ApiServerAccess {
        if (!"https".equals(url.getScheme())) {
            throw new IllegalArgumentException("url (%s) is not https".formatted(url));
        }
        if (token.isBlank()) {
            throw new IllegalArgumentException("token is blank");
        }
    }

    /** An SSL context that trusts only this server's authority. */
    public SSLContext sslContext() {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            byte[] pem = caPem.getBytes(StandardCharsets.US_ASCII);
            int number = 0;
            for (var certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the authority of (%s) cannot be trusted".formatted(url), e);
        }
    }

    /** Writes a kubeconfig with this access for kubectl. */
    public Path writeKubeconfig(Path file) {
        String ca = Base64.getEncoder().encodeToString(caPem.getBytes(StandardCharsets.US_ASCII));
        String text = """
                apiVersion: v1
                kind: Config
                clusters:
                - name: test
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                users:
                - name: test
                  user:
                    token: %s
                contexts:
                - name: test
                  context:
                    cluster: test
                    user: test
                current-context: test
                """.formatted(url, ca, token);
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("kubeconfig (%s) could not be written".formatted(file), e);
        }
    }
}
