package dev.berth.kubeclient.tls;

import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.pem.FileOrInlineData;
import dev.berth.kubeclient.pem.KeyPairCheck;
import dev.berth.kubeclient.pem.Pem;
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

/** The trusted authorities and the client certificate. Files are read again for each connection. */
public record TlsClientConfig(
        Optional<FileOrInlineData> authority,
        Optional<ClientCertificate> clientCertificate,
        boolean insecure,
        Optional<String> serverName)
        implements TlsContextProvider {

    /**
     * ChaCha20 comes first, because the C1 compiler of the JVM, with which Berth starts, makes it five times as fast as
     * AES-GCM. A server without it chooses one of the others.
     */
    private static final List<String> CIPHERS = Stream.concat(
                    Stream.of("TLS_CHACHA20_POLY1305_SHA256"), Http2SecurityUtil.CIPHERS.stream())
            .distinct()
            .toList();

    /** A client certificate and its key. */
    public record ClientCertificate(FileOrInlineData certificate, FileOrInlineData key) {}

    @Override
    public SslContext context() throws ClientConfigException {
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
        if (clientCertificate.isPresent()) {
            useClientCertificate(builder, clientCertificate.get());
        }
        try {
            return builder.build();
        } catch (SSLException unusable) {
            throw new ClientConfigException("TLS cannot be set up: " + unusable.getMessage(), unusable);
        }
    }

    @Override
    public Throwable explainHandshakeFailure(Throwable failure) {
        return ServerCertificateErrors.explain(failure, authority)
                .<Throwable>map(message -> new ClientConfigException(message, failure))
                .orElse(failure);
    }

    /** With the key of a different certificate the server would close each connection without a reason. */
    private static void useClientCertificate(SslContextBuilder builder, ClientCertificate clientCertificate)
            throws ClientConfigException {
        PrivateKey key = Pem.privateKey(clientCertificate.key());
        List<X509Certificate> chain = Pem.certificates(clientCertificate.certificate());
        if (!KeyPairCheck.matches(key, chain.get(0).getPublicKey())) {
            throw new ClientConfigException("%s is not the key of the first certificate in %s"
                    .formatted(
                            clientCertificate.key().description(),
                            clientCertificate.certificate().description()));
        }
        builder.keyManager(key, chain.toArray(X509Certificate[]::new));
    }
}
