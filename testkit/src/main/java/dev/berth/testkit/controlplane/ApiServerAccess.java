package dev.berth.testkit.controlplane;

import dev.berth.kubeclient.kubeconfig.KubeconfigWriter;
import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.tls.TrustedAuthorities;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

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
            return TrustedAuthorities.sslContext("authority of (%s)".formatted(url), caPem);
        } catch (ClientConfigException unusable) {
            throw new IllegalStateException("the authority of (%s) cannot be trusted".formatted(url), unusable);
        }
    }

    /** Writes a kubeconfig with this access for kubectl. */
    public Path writeKubeconfig(Path file) {
        String text = KubeconfigWriter.withBearerToken("test", url.toString(), caPem, token);
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("kubeconfig (%s) could not be written".formatted(file), e);
        }
    }
}
