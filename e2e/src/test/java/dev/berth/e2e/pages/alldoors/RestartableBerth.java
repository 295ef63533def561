package dev.berth.e2e.pages.alldoors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.ConfigFile;
import dev.berth.app.run.FreshLedger;
import dev.berth.core.ledger.Snapshot;
import dev.berth.e2e.run.BerthProcess;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.ChildProcesses;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.ManagedProcess;
import dev.berth.up.LocalCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster on which Berth is a process of its own, for the names of all tools that it replaces. It can be killed, which
 * it cannot answer, and started again, while the API server lives on.
 */
final class RestartableBerth implements AutoCloseable {
    // What is kept for another scheduler must not end while a slow machine starts processes.
    private static final String CONFIG = """
            schedulerNames: [%s]
            leaderElection: {leaseDuration: 8s, renewDeadline: 5s, retryPeriod: 1s}
            globalreserve: {api: {enabled: true, port: 0}, reservationTTL: 1h}
            """.formatted(String.join(", ", LocalCluster.SCHEDULER_NAMES));
    private static final Pattern RESERVE_URL = Pattern.compile("by POST (http\\S+)/reserve");

    private final Server server;
    private final Path config;
    private final ChildProcesses childProcesses = ChildProcesses.open();
    private int starts;
    private ManagedProcess process;

    /**
     * The API server that outlives Berth.
     *
     * @param end ends it
     */
    record Server(ClientConfig access, Path kubeconfig, Kubectl kubectl, Runnable end) {}

    RestartableBerth(Server server, Path folder) throws IOException {
        this.server = server;
        this.config = Files.writeString(folder.resolve("berth.yaml"), CONFIG);
        this.process = startProcess();
    }

    Kubectl kubectl() {
        return server.kubectl();
    }

    /** Kills it (SIGKILL) and returns when it is gone. */
    void kill() {
        process.close();
    }

    /** Starts another, which knows nothing of the one before. */
    void start() {
        assertThat(process.isAlive()).as("it was killed before").isFalse();
        process = startProcess();
    }

    private ManagedProcess startProcess() {
        starts++;
        return childProcesses.start("berth-" + starts, BerthProcess.command(server.kubeconfig(), config));
    }

    /** What a Berth that starts now would read. */
    Snapshot rebuildLedger() {
        return FreshLedger.read(server.access(), ConfigFile.read(config));
    }

    /** Asks its Reserve API, once that is open. */
    String post(String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(reserveUrl() + "/" + path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException unreachable) {
            throw new UncheckedIOException(unreachable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private String reserveUrl() {
        return Eventually.get(() -> {
            Matcher url = RESERVE_URL.matcher(process.readLog());
            assertThat(url.find()).as(process.readLog()).isTrue();
            return url.group(1);
        });
    }

    @Override
    public void close() {
        childProcesses.close();
        server.end().run();
    }
}
