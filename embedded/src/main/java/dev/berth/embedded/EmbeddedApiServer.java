package dev.berth.embedded;

import dev.berth.embedded.admission.webhook.HttpsWebhookCaller;
import dev.berth.embedded.auth.Tokens;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.http.HttpsServer;
import dev.berth.embedded.http.Meddler;
import dev.berth.embedded.http.tls.CertificateAuthority;
import dev.berth.embedded.http.tls.ServerIdentity;
import dev.berth.embedded.schema.Additions;
import dev.berth.embedded.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kubernetes API server in this process, reachable over HTTPS from this machine alone. Stock kubectl works with the
 * {@link #kubeconfig()}; clients in the process may use the {@link #api()} directly. Closing ends everything.
 */
public final class EmbeddedApiServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedApiServer.class);
    private static final List<String> NAMES =
            List.of("localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc");

    private final ApiServer api;
    private final HttpsServer https;
    private final HttpsWebhookCaller webhooks = new HttpsWebhookCaller();
    private final String authority;
    private final String token;

    /**
     * How a server is to be.
     *
     * @param port 0 for any free one
     * @param historyLimit how many changes of each resource watches can be resumed over
     * @param additions what it knows beyond Kubernetes
     * @param meddler who stands between its clients on the network and the server
     */
    public record Options(
            int port,
            int historyLimit,
            InstantSource clock,
            RandomGenerator random,
            Additions additions,
            Meddler meddler) {

        public Options {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("port (" + port + ") is not between 0 and 65535");
            }
            Objects.requireNonNull(clock, "clock");
            Objects.requireNonNull(random, "random");
            Objects.requireNonNull(additions, "additions");
            Objects.requireNonNull(meddler, "meddler");
        }

        /** Any free port and the usual history. */
        public static Options of(InstantSource clock, RandomGenerator random) {
            return new Options(0, Store.DEFAULT_HISTORY_LIMIT, clock, random, Additions.NONE, Meddler.NONE);
        }

        public Options onPort(int other) {
            return new Options(other, historyLimit, clock, random, additions, meddler);
        }

        /** With more than Kubernetes knows. */
        public Options with(Additions more) {
            return new Options(port, historyLimit, clock, random, more, meddler);
        }

        /** With somebody between its clients on the network and the server. */
        public Options meddledWithBy(Meddler somebody) {
            return new Options(port, historyLimit, clock, random, additions, somebody);
        }

        /** With so many changes of each resource to resume watches over. */
        public Options remembering(int changes) {
            return new Options(port, changes, clock, random, additions, meddler);
        }
    }

    private EmbeddedApiServer(Options options) throws IOException {
        // The server and its HTTPS side take about as long to load, and neither needs the other for that.
        CompletableFuture<ApiServer> starting = CompletableFuture.supplyAsync(
                () -> new ApiServer(
                        options.clock(), options.random(), options.historyLimit(), webhooks, options.additions()),
                task -> new Thread(task, "embedded-api-start").start());
        CertificateAuthority certificates = new CertificateAuthority("berth-embedded-ca");
        ServerIdentity identity = certificates.identify("kube-apiserver", NAMES);
        this.authority = certificates.pem();
        this.token = newToken();
        Tokens tokens = new Tokens(
                Map.of(token, new User("kubernetes-admin", List.of("system:masters", "system:authenticated"))));
        this.https =
                new HttpsServer(starting::join, tokens, identity, options.port(), options.clock(), options.meddler());
        this.api = starting.join();
        LOG.debug("an API server in memory listens at {}", url());
    }

    /**
     * Starts a server.
     *
     * @throws dev.berth.embedded.http.PortTakenException when the port belongs to somebody else
     */
    public static EmbeddedApiServer start(Options options) throws IOException {
        return new EmbeddedApiServer(options);
    }

    /** The server itself, for callers in this process. */
    public ApiServer api() {
        return api;
    }

    public int port() {
        return https.port();
    }

    /** Where clients reach it: {@code https://127.0.0.1:6443}. */
    public String url() {
        return "https://127.0.0.1:" + port();
    }

    /** The bearer token that lets a client in. */
    public String token() {
        return token;
    }

    /** The certificate of the authority to trust, as PEM text. */
    public String authorityPem() {
        return authority;
    }

    /** A kubeconfig file's text for this server. */
    public String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: berth
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                users:
                - name: berth
                  user:
                    token: %s
                contexts:
                - name: berth
                  context:
                    cluster: berth
                    user: berth
                current-context: berth
                """.formatted(
                url(), Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII)), token);
    }

    /** Ends connections, watches and threads; a second time changes nothing. */
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
