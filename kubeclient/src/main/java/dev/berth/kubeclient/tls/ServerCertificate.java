package dev.berth.kubeclient.tls;

import dev.berth.kubeclient.pem.Pem;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** What a server proves itself with, and the authority that vouches for it. */
public record ServerCertificate(PrivateKey key, X509Certificate certificate, X509Certificate caCertificate) {

    /** The certificate as text between dashes. */
    public String certificatePem() {
        return pem(certificate);
    }

    /** The private key as text between dashes, in PKCS#8. */
    public String keyPem() {
        return Pem.encode("PRIVATE KEY", key.getEncoded());
    }

    /** A context for a server that shows this certificate. */
    public SSLContext sslContext() {
        char[] password = {};
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("own", key, password, new Certificate[] {certificate, caCertificate});
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException unusable) {
            throw new IllegalStateException(
                    "the certificate of (%s) cannot be used".formatted(certificate.getSubjectX500Principal()),
                    unusable);
        }
    }

    static String pem(X509Certificate certificate) {
        try {
            return Pem.encode("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException broken) {
            throw new IllegalStateException("a certificate does not encode", broken);
        }
    }
}
