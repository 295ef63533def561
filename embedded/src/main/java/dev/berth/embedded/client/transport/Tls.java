package dev.berth.embedded.client.transport;

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

/** The TLS context that a {@link ServerAccess} describes. */
final class Tls {
    private static final char[] NO_PASSWORD = new char[0];

    private Tls() {}

    static SSLContext context(ServerAccess access) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(access), trust(access), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "the certificates for server (%s) are not usable: %s".formatted(access.server(), e.getMessage()),
                    e);
        }
    }

    private static KeyManager[] keys(ServerAccess access) throws GeneralSecurityException, IOException {
        if (access.identity().isEmpty()) {
            return new KeyManager[0];
        }
        ServerAccess.Identity identity = access.identity().get();
        PrivateKey key = Pem.privateKey(identity.key());
        List<X509Certificate> chain = Pem.certificates(identity.certificate());
        KeyStore store = emptyStore();
        store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(new X509Certificate[0]));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static TrustManager[] trust(ServerAccess access) throws GeneralSecurityException, IOException {
        if (access.unverified()) {
            return new TrustManager[] {new TrustsAll()};
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (access.authority().isEmpty()) {
            factory.init((KeyStore) null);
            return factory.getTrustManagers();
        }
        KeyStore store = emptyStore();
        int number = 0;
        for (X509Certificate certificate : Pem.certificates(access.authority().get())) {
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
    private static final class TrustsAll extends X509ExtendedTrustManager {
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
