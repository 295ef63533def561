package dev.berth.testkit.controlplane;

import dev.berth.kubeclient.tls.CertificateAuthority;
import dev.berth.kubeclient.tls.ServerCertificate;
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

/** A kube-apiserver, which can be stopped and started again with the same port and data. */
final class KubeApiServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KubeApiServer.class);
    private static final int PORT_ATTEMPTS = 5;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    private static final int READY_ATTEMPTS = 1200;

    private final ControlPlaneBinaries controlPlaneBinaries;
    private final ProcessReaper processReaper;
    private final String etcdUrl;
    private final List<String> extraFlags;
    private final ApiServerAccess access;
    private final HttpClient client;
    private ManagedProcess process;

    private KubeApiServer(StartOptions startOptions, int port) {
        controlPlaneBinaries = startOptions.controlPlaneBinaries;
        processReaper = startOptions.processReaper;
        etcdUrl = startOptions.etcdUrl;
        extraFlags = startOptions.extraFlags;
        access = new ApiServerAccess(URI.create("https://127.0.0.1:" + port), startOptions.caPem, startOptions.token);
        client = HttpClient.newBuilder()
                .sslContext(access.sslContext())
                .connectTimeout(Duration.ofSeconds(2))
                .build();
        process = launch();
    }

    /** The inputs of an API server besides its port. */
    record StartOptions(
            ControlPlaneBinaries controlPlaneBinaries,
            ProcessReaper processReaper,
            String etcdUrl,
            String caPem,
            String token,
            List<String> extraFlags) {}

    /** Starts on the first of these ports; if a different program takes it first, on the next. */
    static KubeApiServer start(StartOptions startOptions, IntSupplier ports) {
        for (int attempt = 1; ; attempt++) {
            int port = ports.getAsInt();
            KubeApiServer server = new KubeApiServer(startOptions, port);
            if (server.awaitReady()) {
                return server;
            }
            server.close();
            String logTail = server.process.logTail(30);
            if (!logTail.contains("address already in use") || attempt == PORT_ATTEMPTS) {
                throw new IllegalStateException("kube-apiserver did not become ready. It said last:\n" + logTail);
            }
            LOG.info("port {} was taken by another program meanwhile; trying another", port);
        }
    }

    ApiServerAccess access() {
        return access;
    }

    ManagedProcess process() {
        return process;
    }

    void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException("kube-apiserver, pid (%d), runs already".formatted(process.pid()));
        }
        process = launch();
        if (!awaitReady()) {
            throw new IllegalStateException("kube-apiserver did not come back. It said last:\n" + process.logTail(30));
        }
    }

    @Override
    public void close() {
        process.close();
    }

    private ManagedProcess launch() {
        Path home = processReaper.folder();
        List<String> command = new ArrayList<>(controlPlaneBinaries.command("kube-apiserver"));
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
                // Nodes here have no kubelet that removes the not-ready taint, and pods have no service account before
                // the controllers create one.
                "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + home.resolve("service-account.crt"),
                "--service-account-signing-key-file=" + home.resolve("service-account.key"),
                "--service-cluster-ip-range=10.96.0.0/16",
                "--endpoint-reconciler-type=none"));
        command.addAll(extraFlags);
        return ManagedProcess.start("kube-apiserver", command, processReaper);
    }

    /** Returns true when the server is ready; false if it ended or was not ready within a minute. */
    private boolean awaitReady() {
        HttpRequest ready = HttpRequest.newBuilder(access.url().resolve("/readyz"))
                .header("Authorization", "Bearer " + access.token())
                .timeout(Duration.ofSeconds(2))
                .build();
        for (int attempt = 0; attempt < READY_ATTEMPTS; attempt++) {
            if (process.waitForExit(POLL_INTERVAL)) {
                return false;
            }
            if (isOk(ready)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOk(HttpRequest request) {
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

    /** Writes the files that the server reads at its start. */
    static void writeFiles(Path home, CertificateAuthority authority, String tokens) throws IOException {
        ServerCertificate own = authority.issueServerCertificate("kube-apiserver", List.of("localhost"));
        Files.writeString(home.resolve("apiserver.crt"), own.certificatePem());
        Files.writeString(home.resolve("apiserver.key"), own.keyPem());
        ServerCertificate signer = authority.issueServerCertificate("service-accounts", List.of());
        Files.writeString(home.resolve("service-account.crt"), signer.certificatePem());
        Files.writeString(home.resolve("service-account.key"), signer.keyPem());
        Files.writeString(home.resolve("tokens.csv"), tokens);
    }
}
