package dev.berth.testkit.controlplane;

import dev.berth.embedded.http.tls.CertificateAuthority;
import dev.berth.embedded.http.tls.ServerIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One kube-apiserver: it may be stopped and started again on the same port and data. */
final class ApiServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final int PORT_ATTEMPTS = 5;
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final int READY_ATTEMPTS = 1200;

    private final Programs programs;
    private final Guard guard;
    private final String etcdUrl;
    private final List<String> furtherFlags;
    private final Access access;
    private final HttpClient client;
    private GuardedProcess process;

    private ApiServer(Start start, int port) {
        programs = start.programs;
        guard = start.guard;
        etcdUrl = start.etcdUrl;
        furtherFlags = start.furtherFlags;
        access = new Access(URI.create("https://127.0.0.1:" + port), start.caPem, start.token);
        client = HttpClient.newBuilder()
                .sslContext(access.trust())
                .connectTimeout(Duration.ofSeconds(2))
                .build();
        process = launch();
    }

    /** What an API server needs before its port is known. */
    record Start(
            Programs programs, Guard guard, String etcdUrl, String caPem, String token, List<String> furtherFlags) {}

    /** Starts one on the first of these ports; when another program was quicker to take it, on the next. */
    static ApiServer start(Start start, IntSupplier ports) {
        for (int attempt = 1; ; attempt++) {
            int port = ports.getAsInt();
            ApiServer server = new ApiServer(start, port);
            if (server.awaitReady()) {
                return server;
            }
            server.close();
            String said = server.process.lastWords(30);
            if (!said.contains("address already in use") || attempt == PORT_ATTEMPTS) {
                throw new IllegalStateException("kube-apiserver did not become ready. It said last:\n" + said);
            }
            LOG.info("port {} was taken by another program meanwhile; trying another", port);
        }
    }

    Access access() {
        return access;
    }

    GuardedProcess process() {
        return process;
    }

    void startAgain() {
        if (process.isAlive()) {
            throw new IllegalStateException("kube-apiserver, pid (%d), runs already".formatted(process.pid()));
        }
        process = launch();
        if (!awaitReady()) {
            throw new IllegalStateException(
                    "kube-apiserver did not come back. It said last:\n" + process.lastWords(30));
        }
    }

    @Override
    public void close() {
        process.close();
    }

    private GuardedProcess launch() {
        Path home = guard.home();
        List<String> command = new ArrayList<>(programs.command("kube-apiserver"));
        command.addAll(List.of(
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + access.url().getPort(),
                "--etcd-servers=" + etcdUrl,
                "--tls-cert-file=" + home.resolve("apiserver.crt"),
                "--tls-private-key-file=" + home.resolve("apiserver.key"),
                "--cert-dir=" + home,
                "--token-auth-file=" + home.resolve("tokens.csv"),
                "--anonymous-auth=false",
                "--authorization-mode=RBAC",
                "--allow-privileged=true",
                // Nodes here have no kubelet that would take the not-ready taint off again, and pods
                // no service account before the controllers have made one.
                "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + home.resolve("service-account.crt"),
                "--service-account-signing-key-file=" + home.resolve("service-account.key"),
                "--service-cluster-ip-range=10.96.0.0/16",
                "--endpoint-reconciler-type=none"));
        command.addAll(furtherFlags);
        return GuardedProcess.start("kube-apiserver", command, guard);
    }

    /** True when it says it is ready; false when it ended or never did within a minute. */
    private boolean awaitReady() {
        HttpRequest ready = HttpRequest.newBuilder(access.url().resolve("/readyz"))
                .header("Authorization", "Bearer " + access.token())
                .timeout(Duration.ofSeconds(2))
                .build();
        for (int attempt = 0; attempt < READY_ATTEMPTS; attempt++) {
            if (process.endsWithin(PAUSE)) {
                return false;
            }
            if (answersOk(ready)) {
                return true;
            }
        }
        return false;
    }

    private boolean answersOk(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            LOG.trace("not ready yet", e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while kube-apiserver started", e);
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on the loopback address", e);
        }
    }

    /** Writes the files the server reads at start. */
    static void writeFiles(Path home, CertificateAuthority authority, String tokens) throws IOException {
        ServerIdentity own = authority.identify("kube-apiserver", List.of("localhost"));
        Files.writeString(home.resolve("apiserver.crt"), own.certificatePem());
        Files.writeString(home.resolve("apiserver.key"), own.keyPem());
        ServerIdentity signer = authority.identify("service-accounts", List.of());
        Files.writeString(home.resolve("service-account.crt"), signer.certificatePem());
        Files.writeString(home.resolve("service-account.key"), signer.keyPem());
        Files.writeString(home.resolve("tokens.csv"), tokens);
    }
}
