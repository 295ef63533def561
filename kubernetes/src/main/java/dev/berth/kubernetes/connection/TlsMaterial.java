package dev.berth.kubernetes.connection;

import dev.berth.kubernetes.http2.TlsSource;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Whom we trust and who we are, by certificates. Read anew for each connection. */
record TlsMaterial(
        Optional<Material> authority, Optional<Identity> identity, boolean insecure, Optional<String> serverName)
        implements TlsSource {

    /**
     * The one first that Java computes quickly with its quick compiler, by which Berth is started: five times as fast
     * as AES-GCM, for which it would need the other one. A server that has it not takes one of the rest.
     */
    private static final List<String> CIPHERS = Stream.concat(
                    Stream.of("TLS_CHACHA20_POLY1305_SHA256"), Http2SecurityUtil.CIPHERS.stream())
            .distinct()
            .toList();

    /** A client certificate and its key. */
    record Identity(Material certificate, Material key) {}

    @Override
    public SslContext context() throws UnusableAccess {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2));
        if (insecure) {
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null);
        } else if (authority.isPresent()) {
            builder.trustManager(Pem.certificates(authority.get()).toArray(X509Certificate[]::new));
        }
        if (identity.isPresent()) {
            identify(builder, identity.get());
        }
        try {
            return builder.build();
        } catch (SSLException unusable) {
            throw new UnusableAccess("TLS cannot be set up: " + unusable.getMessage(), unusable);
        }
    }

    @Override
    public Throwable explain(Throwable failure) {
        return ServerCertificates.problem(failure, authority)
                .<Throwable>map(words -> new UnusableAccess(words, failure))
                .orElse(failure);
    }

    /** With a key of another certificate the server would close each connection without a word. */
    private static void identify(SslContextBuilder builder, Identity identity) throws UnusableAccess {
        PrivateKey key = Pem.privateKey(identity.key());
        List<X509Certificate> chain = Pem.certificates(identity.certificate());
        if (!KeyPairs.belongTogether(key, chain.get(0).getPublicKey())) {
            throw new UnusableAccess("%s is not the key of the first certificate in %s"
                    .formatted(identity.key().label(), identity.certificate().label()));
        }
        builder.keyManager(key, chain.toArray(X509Certificate[]::new));
    }
}
