package dev.berth.up;

import dev.berth.app.DisabledDoorsOption;
import dev.berth.app.ListenerSummary;
import dev.berth.app.cli.Console;
import dev.berth.app.cli.Shutdown;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.GlobalReserveApiSettings;
import dev.berth.app.run.SteadyClock;
import dev.berth.core.hold.Origin.DoorId;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth up}: a sandbox cluster with Berth as its scheduler, until Ctrl-C. */
@Command(
        name = "up",
        description = {
            "Starts a small Kubernetes cluster in this process, with Berth as its scheduler.",
            "It runs until Ctrl-C and leaves nothing behind."
        },
        sortOptions = false,
        footer = {"", "Example: berth up --nodes 5 --cpu 16 --memory 64Gi"})
final class UpCommand implements Callable<Integer> {
    private static final int MAX_NODES = 15_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "3", description = "Number of nodes (default: 3).")
    private int nodes;

    @Option(names = "--cpu", paramLabel = "CPU", defaultValue = "8", description = "Cores of each node (default: 8).")
    private String cpu = "8";

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "32Gi",
            description = "Memory of each node (default: 32Gi).")
    private String memory = "32Gi";

    @Option(
            names = "--pods",
            paramLabel = "N",
            defaultValue = "110",
            description = "Maximum number of pods on each node (default: 110).")
    private int pods;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the API server on 127.0.0.1; 0 uses any free port (default).")
    private int port;

    @Option(
            names = "--globalreserve-port",
            paramLabel = "PORT",
            description =
                    "Port of the Reserve API on 127.0.0.1; 0 uses any free port (default: 23456, or any free port if 23456 is in use).")
    private Optional<Integer> globalReservePort = Optional.empty();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "berth.kubeconfig",
            description = "Where to write the kubeconfig when everything is ready (default: berth.kubeconfig).")
    private Path kubeconfig = Path.of("berth.kubeconfig");

    @Mixin
    private DisabledDoorsOption disabledDoors = new DisabledDoorsOption();

    private volatile boolean isWelcomed;

    @Override
    public Integer call() throws InterruptedException {
        requireInRange("--nodes", nodes, 1, MAX_NODES);
        requireInRange("--port", port, 0, 65_535);
        globalReservePort.ifPresent(wanted -> requireInRange("--globalreserve-port", wanted, 0, 65_535));
        NodeSize size = nodeSize();
        LocalCluster.Options plan =
                new LocalCluster.Options(nodes, size, port, doorSettings(), LocalCluster.SCHEDULER_NAMES);
        KubeconfigFile file = KubeconfigFile.at(kubeconfig);
        Console console = new Console(spec.commandLine().getErr(), System.getenv());
        try (Shutdown shutdown = new Shutdown(() -> console.println("Berth stopped on request"))) {
            LocalCluster.Running cluster = shutdown.register(
                    LocalCluster.start(plan, SteadyClock.system(), status -> printLater(console, status)));
            shutdown.register(file).write(cluster.kubeconfig());
            printWelcome(cluster, plan);
            isWelcomed = true;
            return shutdown.await(cluster.berth().failure());
        }
    }

    /** While the cluster starts, Berth becomes its leader as expected: only what changes later is worth a line. */
    private void printLater(Console console, String status) {
        if (isWelcomed) {
            console.println("Berth " + status);
        }
    }

    private DoorSettings doorSettings() {
        Set<DoorId> disabled = disabledDoors.doors();
        if (!disabled.contains(DoorId.GLOBALRESERVE)) {
            GlobalReserveApiSettings api = globalReservePort
                    .map(GlobalReserveApiSettings::onPort)
                    .orElseGet(GlobalReserveApiSettings::onDefaultPort);
            return DoorSettings.DEFAULT.withDisabled(disabled).withGlobalReserveApi(api);
        }
        globalReservePort.ifPresent(wanted -> {
            throw new ParameterException(
                    spec.commandLine(),
                    "--globalreserve-port (%d) has no effect: the door (%s) is disabled"
                            .formatted(wanted, DoorId.GLOBALRESERVE));
        });
        return DoorSettings.DEFAULT.withDisabled(disabled);
    }

    private void printWelcome(LocalCluster.Running cluster, LocalCluster.Options plan) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("Berth is up: %s. Kubernetes API at %s%n%n", describeNodes(nodes, plan.size()), cluster.url());
        out.printf("  export KUBECONFIG='%s'%n", kubeconfig.toAbsolutePath().normalize());
        out.println("  kubectl get nodes");
        out.println("  kubectl create deployment web --image=nginx --replicas=20");
        out.printf("  kubectl get pods -o wide%n%n");
        out.printf("%s%n", describeDoors(plan.doors()));
        ListenerSummary.describe(cluster.berth()).forEach(out::println);
        out.println("Press Ctrl-C to stop it.");
        out.flush();
    }

    static String describeDoors(DoorSettings doors) {
        String open = doors.enabled().isEmpty() ? "none" : DoorId.join(doors.enabled());
        String disabled = doors.disabled().isEmpty() ? "" : "; disabled: " + DoorId.join(doors.disabled());
        return "Enabled doors: %s%s. See docs/doors".formatted(open, disabled);
    }

    static String describeNodes(int nodes, NodeSize size) {
        return nodes == 1 ? "1 node with %s".formatted(size) : "%d nodes with %s each".formatted(nodes, size);
    }

    private NodeSize nodeSize() {
        try {
            return new NodeSize(cpu, memory, pods);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
    }

    private void requireInRange(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), "%s (%d) must be from %d to %d".formatted(option, value, least, most));
        }
    }
}
