package dev.berth.kubernetes.http2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubeclient.kubeconfig.Kubeconfig;
import dev.berth.kubeclient.pem.TestIdentity;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(60)
class TlsClientConfigTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private TestIdentity identity;

    @BeforeEach
    void makeIdentity() throws Exception {
        identity = TestIdentity.make(folder, "EC");
        Files.writeString(folder.resolve("ca.pem"), identity.certificatePem());
        Files.writeString(folder.resolve("key.pem"), identity.keyPem());
    }

    @Test
    void aServerCertificateSignedByTheConfiguredAuthorityIsTrusted() throws Exception {
        try (ScriptedServer server = serving(true, ClientAuth.NONE)) {
            assertThat(answer(server, "certificate-authority: ca.pem", "")).isEqualTo("hello");
            assertThat(answer(server, "insecure-skip-tls-verify: true", "")).isEqualTo("hello");
        }
    }

    @Test
    void theClientPresentsItsCertificate() throws Exception {
        try (ScriptedServer server = serving(true, ClientAuth.REQUIRE)) {
            String mine = "client-certificate: ca.pem, client-key: key.pem";
            assertThat(answer(server, "certificate-authority: ca.pem", mine)).isEqualTo("hello");
            assertThat(failure(server, "certificate-authority: ca.pem", "")).contains(":" + server.port());
        }
    }

    @Test
    void aServerCertificateOfAnUnknownAuthorityIsRejected() throws Exception {
        TestIdentity other = TestIdentity.make(Files.createDirectory(folder.resolve("other")), "EC");
        Files.writeString(folder.resolve("other.pem"), other.certificatePem());
        try (ScriptedServer server = serving(true, ClientAuth.NONE)) {
            assertThat(failure(server, "certificate-authority: other.pem", ""))
                    .endsWith(
                            "cannot connect to https://127.0.0.1:%d: the server's certificate is not signed by the authority of kubeconfig (%s): clusters[0].cluster.certificate-authority (%s)"
                                    .formatted(
                                            server.port(), folder.resolve("kubeconfig"), folder.resolve("other.pem")));
            assertThat(failure(server, "", ""))
                    .contains("the server's certificate is not signed by an authority that Java trusts");
        }
    }

    @Test
    void aHandshakeThatFailsIsNotLoggedByTheLibraryToo() throws Exception {
        TestIdentity other = TestIdentity.make(Files.createDirectory(folder.resolve("other")), "EC");
        Files.writeString(folder.resolve("other.pem"), other.certificatePem());
        Logger library = (Logger) LoggerFactory.getLogger("io.netty");
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        library.addAppender(logged);
        try (ScriptedServer server = serving(true, ClientAuth.NONE)) {
            failure(server, "certificate-authority: other.pem", "");
        } finally {
            library.detachAppender(logged);
        }
        assertThat(logged.list)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .filteredOn(event -> event.getThreadName().startsWith("tls"))
                .isEmpty();
    }

    @Test
    void aCertificateForAnotherNameIsRejectedUnlessTlsServerNameExpectsIt() throws Exception {
        try (ScriptedServer server = serving(true, ClientAuth.NONE)) {
            assertThat(failure(server, "certificate-authority: ca.pem, tls-server-name: elsewhere", ""))
                    .contains("elsewhere");
            assertThat(answer(server, "certificate-authority: ca.pem, tls-server-name: localhost", ""))
                    .isEqualTo("hello");
        }
    }

    @Test
    void aServerWithoutHttp2IsReportedAsNotSupportingHttp2() throws Exception {
        try (ScriptedServer server = serving(false, ClientAuth.NONE)) {
            assertThat(failure(server, "certificate-authority: ca.pem", ""))
                    .contains("the server does not speak HTTP/2");
        }
    }

    @Test
    void aRenewedAuthorityFileIsUsedByTheNextConnection() throws Exception {
        TestIdentity other = TestIdentity.make(Files.createDirectory(folder.resolve("other")), "EC");
        Files.writeString(folder.resolve("turning.pem"), other.certificatePem());
        try (ScriptedServer server = serving(true, ClientAuth.NONE);
                Http2Client client = client(server, "certificate-authority: turning.pem", "")) {
            assertThat(catchThrowable(() -> sent(client).get(20, TimeUnit.SECONDS)))
                    .hasMessageContaining("is not signed by the authority of");
            Files.writeString(folder.resolve("turning.pem"), identity.certificatePem());
            assertThat(new String(sent(client).get(20, TimeUnit.SECONDS).body(), UTF_8))
                    .isEqualTo("hello");
        }
    }

    private ScriptedServer serving(boolean http2, ClientAuth clients) throws IOException {
        SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), identity.certificate())
                .clientAuth(clients)
                .trustManager(identity.certificate());
        if (http2) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    "h2"));
        }
        SslContext context = builder.build();
        return ScriptedServer.serving(context, in -> in.reply(200, "hello"));
    }

    private String answer(ScriptedServer server, String cluster, String user) throws Exception {
        try (Http2Client client = client(server, cluster, user)) {
            return new String(sent(client).get(20, TimeUnit.SECONDS).body(), UTF_8);
        }
    }

    private String failure(ScriptedServer server, String cluster, String user) throws Exception {
        try (Http2Client client = client(server, cluster, user)) {
            return Optional.ofNullable(catchThrowable(() -> sent(client).get(20, TimeUnit.SECONDS)))
                    .map(Throwable::getMessage)
                    .orElse("nothing failed");
        }
    }

    private Http2Client client(ScriptedServer server, String cluster, String user) throws IOException {
        Path file = folder.resolve("kubeconfig");
        Files.writeString(file, """
                current-context: c
                clusters: [{name: k, cluster: {server: "https://127.0.0.1:%d", %s}}]
                users: [{name: u, user: {%s}}]
                contexts: [{name: c, context: {cluster: k, user: u}}]
                """.formatted(server.port(), cluster, user));
        ClientConfig access = Kubeconfig.read(file).clientConfig(InstantSource.system());
        return new Http2Client("tls", access.endpoint(), ConnectionSettings.DEFAULT);
    }

    private static CompletableFuture<Response> sent(Http2Client client) {
        return client.send(Request.get("/", List.of(), Duration.ofSeconds(20)));
    }
}
