package dev.berth.testkit.controlplane;

import dev.berth.kubeclient.tls.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * A running control plane: the real etcd and kube-apiserver, in a folder of its own, on free ports. It ends with {@link
 * #close} or with the JVM. Tests break it on purpose: the API server can be stopped and started again with the same
 * port and data, and etcd can be stopped and compacted.
 *
 * <p>One thread at a time stops and starts processes; any thread may read.
 */
public final class RealControlPlane implements AutoCloseable {

    private static final int LOG_TAIL_LINES = 40;

    private final Path home;
    private final ProcessReaper processReaper;
    private final ControlPlaneBinaries controlPlaneBinaries;
    private final CertificateAuthority authority = new CertificateAuthority("control-plane-ca");
    private final Etcd etcd;
    private final KubeApiServer apiServer;
    private final Path kubeconfig;
    private final List<ManagedProcess> otherProcesses = new ArrayList<>();

    private RealControlPlane(
            ControlPlaneOptions options,
            ControlPlaneBinaries controlPlaneBinaries,
            ProcessReaper processReaper,
            IntSupplier ports)
            throws IOException {
        this.controlPlaneBinaries = controlPlaneBinaries;
        this.processReaper = processReaper;
        this.home = processReaper.folder();
        String token = UUID.randomUUID().toString();
        KubeApiServer.writeFiles(home, authority, token + ",admin,admin,system:masters\n");
        etcd = new Etcd(controlPlaneBinaries, processReaper);
        try {
            apiServer = KubeApiServer.start(
                    new KubeApiServer.StartOptions(
                            controlPlaneBinaries,
                            processReaper,
                            etcd.url(),
                            authority.pem(),
                            token,
                            options.apiServerFlags()),
                    ports);
        } catch (RuntimeException e) {
            etcd.close();
            throw new IllegalStateException(
                    "%s\netcd said last:\n%s"
                            .formatted(e.getMessage(), etcd.process().logTail(LOG_TAIL_LINES)),
                    e);
        }
        kubeconfig = access().writeKubeconfig(home.resolve("kubeconfig"));
        if (options.controllers()) {
            startControllerManager();
        }
    }

    /**
     * Starts a control plane, which takes some seconds.
     *
     * @throws MissingControlPlaneException if this machine has none and cannot build one
     */
    public static RealControlPlane start(ControlPlaneOptions options) {
        return start(options, KubeApiServer::freePort);
    }

    static RealControlPlane start(ControlPlaneOptions options, IntSupplier ports) {
        ControlPlaneBinaries controlPlaneBinaries = ControlPlaneBinaries.find();
        ProcessReaper processReaper = new ProcessReaper(createHome());
        try {
            return new RealControlPlane(options, controlPlaneBinaries, processReaper, ports);
        } catch (IOException e) {
            cleanUp(processReaper);
            throw new UncheckedIOException("(%s) cannot be written".formatted(processReaper.folder()), e);
        } catch (RuntimeException e) {
            cleanUp(processReaper);
            throw e;
        }
    }

    public ApiServerAccess access() {
        return apiServer.access();
    }

    /** A kubeconfig of a cluster administrator. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** The kubectl of the same version. */
    public Kubectl kubectl() {
        return new Kubectl(controlPlaneBinaries.command("kubectl"), kubeconfig, home);
    }

    /** The process of the API server, for measurements. */
    public long apiServerPid() {
        return apiServer.process().pid();
    }

    public long etcdPid() {
        return etcd.process().pid();
    }

    /** Kills the API server, as a crash would. */
    public void stopApiServer() {
        apiServer.close();
    }

    /** Starts the stopped API server with the same port and data, and waits until it is ready. */
    public void startApiServer() {
        apiServer.restart();
    }

    /** Kills the API server and starts it again: its watch cache is empty then. */
    public void restartApiServer() {
        stopApiServer();
        startApiServer();
    }

    /** Stops etcd: the API server's writes hang until {@link #resumeEtcd}. */
    public void pauseEtcd() {
        etcd.process().pause();
    }

    public void resumeEtcd() {
        etcd.process().resume();
    }

    /** Compacts all versions of etcd up to this one. */
    public void compact(long revision) {
        etcd.compact(revision);
    }

    /**
     * Starts kube-controller-manager. Nodes without heartbeats must not become unreachable, and a new namespace must be
     * empty, so two controllers are disabled. It ends with the control plane, or when closed.
     */
    public ManagedProcess startControllerManager() {
        return startProgram(
                "kube-controller-manager",
                List.of(
                        "--kubeconfig=" + kubeconfig,
                        "--secure-port=0",
                        "--leader-elect=false",
                        "--controllers=*,-node-lifecycle-controller,-root-ca-certificate-publisher-controller",
                        "--kube-api-qps=500",
                        "--kube-api-burst=1000"));
    }

    /**
     * Starts kube-scheduler. It ends with the control plane, or when closed.
     *
     * @param configuration returns the KubeSchedulerConfiguration for the given kubeconfig
     */
    public ManagedProcess startKubeScheduler(Function<Path, String> configuration) {
        Path file = home.resolve("kube-scheduler-%d.yaml".formatted(otherProcesses.size()));
        try {
            Files.writeString(file, configuration.apply(kubeconfig));
        } catch (IOException e) {
            throw new UncheckedIOException("(%s) cannot be written".formatted(file), e);
        }
        return startProgram("kube-scheduler", List.of("--config=" + file, "--secure-port=0"));
    }

    /** A KubeSchedulerConfiguration with defaults, and without leader election. */
    public static String defaultSchedulerConfiguration(Path kubeconfig) {
        return """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection:
                  leaderElect: false
                clientConnection:
                  kubeconfig: %s
                  qps: 500
                  burst: 1000
                """.formatted(kubeconfig);
    }

    /** The last log lines of all programs, for error messages. */
    public String logTails() {
        return processes().stream()
                .map(process -> "--- %s (%s), the last it said:\n%s"
                        .formatted(
                                process.name(),
                                process.isAlive() ? "running" : "ended",
                                process.logTail(LOG_TAIL_LINES)))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        List<ManagedProcess> all = processes();
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).close();
        }
        cleanUp(processReaper);
    }

    private static void cleanUp(ProcessReaper processReaper) {
        processReaper.close();
        TempFolders.deleteRecursively(processReaper.folder());
    }

    private List<ManagedProcess> processes() {
        List<ManagedProcess> all = new ArrayList<>(List.of(etcd.process(), apiServer.process()));
        all.addAll(otherProcesses);
        return all;
    }

    private ManagedProcess startProgram(String program, List<String> arguments) {
        List<String> command = new ArrayList<>(controlPlaneBinaries.command(program));
        command.addAll(arguments);
        return startProcess(program, command);
    }

    /**
     * Starts a program in addition to the control plane, for example to kill it. It ends with the control plane, or when
     * closed.
     *
     * @param name of the program and of its log
     */
    public ManagedProcess startProcess(String name, List<String> command) {
        ManagedProcess process = ManagedProcess.start(name, command, processReaper);
        if (process.waitForExit(Duration.ofMillis(100))) {
            throw new IllegalStateException(
                    "(%s) ended at once. It said last:\n%s".formatted(name, process.logTail(LOG_TAIL_LINES)));
        }
        otherProcesses.add(process);
        return process;
    }

    private static Path createHome() {
        try {
            return Files.createTempDirectory("berth-controlplane");
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder for a control plane", e);
        }
    }
}
