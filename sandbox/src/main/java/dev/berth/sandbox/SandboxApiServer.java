package dev.berth.sandbox;

import dev.berth.kubeclient.kubeconfig.KubeconfigWriter;
import dev.berth.kubeclient.tls.CertificateAuthority;
import dev.berth.kubeclient.tls.ServerCertificate;
import dev.berth.sandbox.admission.webhook.HttpsWebhookClient;
import dev.berth.sandbox.apiserver.InMemoryApiServer;
import dev.berth.sandbox.authentication.TokenAuthenticator;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.http.HttpsServer;
import dev.berth.sandbox.http.RequestInterceptor;
import dev.berth.sandbox.schema.SchemaExtensions;
import dev.berth.sandbox.storage.Store;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kubernetes API server in this process, reachable over HTTPS from this machine only. Stock kubectl works with the
 * {@link #kubeconfig()}; clients in the process may use the {@link #api()} directly. Closing ends everything.
 */
public final class SandboxApiServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SandboxApiServer.class);
    private static final List<String> NAMES =
            List.of("localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc");

    private final InMemoryApiServer api;
    private final HttpsServer https;
    private final HttpsWebhookClient webhooks = new HttpsWebhookClient();
    private final String caCertificate;
    private final String token;

    /**
     * The settings of a server.
     *
     * @param port 0 for any free port
     * @param historyLimit how many changes of each resource watches can be resumed over
     * @param schemaExtensions fields that are not part of Kubernetes
     * @param requestInterceptor sees every request from the network before the server does
     */
    public record Options(
            int port,
            int historyLimit,
            InstantSource clock,
            RandomGenerator random,
            SchemaExtensions schemaExtensions,
            RequestInterceptor requestInterceptor) {

        public Options {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("port (" + port + ") is not between 0 and 65535");
            }
            Objects.requireNonNull(clock, "clock");
            Objects.requireNonNull(random, "random");
            Objects.requireNonNull(schemaExtensions, "additions");
            Objects.requireNonNull(requestInterceptor, "meddler");
        }

        /** Any free port and the usual history. */
        public static Options of(InstantSource clock, RandomGenerator random) {
            return new Options(
                    0, Store.DEFAULT_HISTORY_LIMIT, clock, random, SchemaExtensions.NONE, RequestInterceptor.NONE);
        }

        public Options withPort(int newPort) {
            return new Options(newPort, historyLimit, clock, random, schemaExtensions, requestInterceptor);
        }

        /** The same with fields that are not part of Kubernetes. */
        public Options withSchemaExtensions(SchemaExtensions extensions) {
            return new Options(port, historyLimit, clock, random, extensions, requestInterceptor);
        }

        /** The same with an interceptor of all requests from the network. */
        public Options withInterceptor(RequestInterceptor interceptor) {
            return new Options(port, historyLimit, clock, random, schemaExtensions, interceptor);
        }

        /** The same with a limit on the changes that a watch can resume over. */
        public Options withHistoryLimit(int changes) {
            return new Options(port, changes, clock, random, schemaExtensions, requestInterceptor);
        }
    }

    private SandboxApiServer(Options options) throws IOException {
        // The server and its HTTPS side take about as long to load, and neither needs the other for that.
        CompletableFuture<InMemoryApiServer> starting = CompletableFuture.supplyAsync(
                () -> new InMemoryApiServer(
                        options.clock(),
                        options.random(),
                        options.historyLimit(),
                        webhooks,
                        options.schemaExtensions()),
                task -> new Thread(task, "embedded-api-start").start());
        CertificateAuthority certificates = new CertificateAuthority("berth-embedded-ca");
        ServerCertificate identity = certificates.issueServerCertificate("kube-apiserver", NAMES);
        this.caCertificate = certificates.pem();
        this.token = newToken();
        TokenAuthenticator tokenAuthenticator = new TokenAuthenticator(
                Map.of(token, new UserInfo("kubernetes-admin", List.of("system:masters", "system:authenticated"))));
        this.https = new HttpsServer(
                starting::join,
                tokenAuthenticator,
                identity,
                options.port(),
                options.clock(),
                options.requestInterceptor());
        this.api = starting.join();
        LOG.debug("the sandbox API server listens at {}", url());
    }

    /**
     * Starts a server.
     *
     * @throws dev.berth.sandbox.http.PortInUseException when the port is in use
     */
    public static SandboxApiServer start(Options options) throws IOException {
        return new SandboxApiServer(options);
    }

    /** The server itself, for callers in this process. */
    public InMemoryApiServer api() {
        return api;
    }

    public int port() {
        return https.port();
    }

    /** The base URL for clients: {@code https://127.0.0.1:6443}. */
    public String url() {
        return "https://127.0.0.1:" + port();
    }

    /** The bearer token of an administrator. */
    public String token() {
        return token;
    }

    /** The certificate of the authority to trust, as PEM text. */
    public String caCertificatePem() {
        return caCertificate;
    }

    /** A kubeconfig file's text for this server. */
    public String kubeconfig() {
        return KubeconfigWriter.withBearerToken("berth", url(), caCertificate, token);
    }

    /** Closes connections, watches and threads. A second call has no effect. */
    @Override
    public void close() {
        https.close();
        webhooks.close();
    }

    private static String newToken() {
        byte[] secret = new byte[24];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }
}
