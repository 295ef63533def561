package dev.berth.sandbox.client.transport;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** The TLS context that a {@link RestConfig} describes. */
final class TlsContexts {
    private static final char[] NO_PASSWORD = new char[0];

    private TlsContexts() {}

    static SSLContext create(RestConfig access) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers(access), trustManagers(access), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "the certificates for server (%s) are not usable: %s".formatted(access.server(), e.getMessage()),
                    e);
        }
    }

    private static KeyManager[] keyManagers(RestConfig access) throws GeneralSecurityException, IOException {
        if (access.clientCertificate().isEmpty()) {
            return new KeyManager[0];
        }
        RestConfig.ClientCertificate clientCertificate =
                access.clientCertificate().get();
        PrivateKey key = PemReader.privateKey(clientCertificate.keyPem());
        List<X509Certificate> chain = PemReader.certificates(clientCertificate.certificatePem());
        KeyStore store = emptyStore();
        store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(new X509Certificate[0]));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static TrustManager[] trustManagers(RestConfig access) throws GeneralSecurityException, IOException {
        if (access.insecureSkipTlsVerify()) {
            return new TrustManager[] {new InsecureTrustManager()};
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (access.caCertificatePem().isEmpty()) {
            factory.init((KeyStore) null);
            return factory.getTrustManagers();
        }
        KeyStore store = emptyStore();
        int number = 0;
        for (X509Certificate certificate :
                PemReader.certificates(access.caCertificatePem().get())) {
            store.setCertificateEntry("authority-" + number++, certificate);
        }
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    /** For a kubeconfig that says {@code insecure-skip-tls-verify}; the extended form also skips host names. */
    private static final class InsecureTrustManager extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
