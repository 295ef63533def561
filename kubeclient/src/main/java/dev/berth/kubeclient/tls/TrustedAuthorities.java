package dev.berth.kubeclient.tls;

import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.pem.FileOrInlineData;
import dev.berth.kubeclient.pem.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS contexts of the JDK, for clients that use its HTTP client. */
public final class TrustedAuthorities {
    private TrustedAuthorities() {}

    /**
     * A context that trusts these authorities alone.
     *
     * @param field the name of the PEM text in messages
     * @throws ClientConfigException if the text has no certificate, or a malformed one
     */
    public static SSLContext sslContext(String field, String pem) throws ClientConfigException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (X509Certificate certificate :
                    Pem.certificates(FileOrInlineData.inline(field, pem.getBytes(StandardCharsets.UTF_8)))) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException unusable) {
            throw unusable instanceof ClientConfigException configError
                    ? configError
                    : new ClientConfigException(
                            "%s cannot be used: %s".formatted(field, unusable.getMessage()), unusable);
        }
    }
}
