package dev.berth.app;

import dev.berth.app.config.DoorName;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.ReserveApiSettings;
import dev.berth.app.run.SteadyClock;
import dev.berth.app.up.LocalCluster;
import dev.berth.app.up.NodeSize;
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

/** {@code berth up}: a Kubernetes in a box with Berth as its scheduler, until Ctrl-C. */
@Command(
        name = "up",
        description = {
            "Starts a small Kubernetes cluster in this process, with Berth as its scheduler.",
            "It stays until Ctrl-C and leaves nothing behind."
        },
        sortOptions = false,
        footer = {"", "Example: berth up --nodes 5 --cpu 16 --memory 64Gi"})
final class UpCommand implements Callable<Integer> {
    private static final int MOST_NODES = 15_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "3", description = "How many nodes (default: 3).")
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
            description = "How many pods each node takes (default: 110).")
    private int pods;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the API server on 127.0.0.1; 0 takes any free one (default).")
    private int port;

    @Option(
            names = "--reserve-port",
            paramLabel = "PORT",
            description = "Port of the Reserve API on 127.0.0.1; 0 takes any free one (default: 23456, or any free one"
                    + " where that is taken).")
    private Optional<Integer> reservePort = Optional.empty();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "berth.kubeconfig",
            description = "Where to write the kubeconfig when everything is ready (default: berth.kubeconfig).")
    private Path kubeconfig = Path.of("berth.kubeconfig");

    @Mixin
    private WithoutOption without = new WithoutOption();

    @Override
    public Integer call() throws InterruptedException {
        check("--nodes", nodes, 1, MOST_NODES);
        check("--port", port, 0, 65_535);
        reservePort.ifPresent(wanted -> check("--reserve-port", wanted, 0, 65_535));
        NodeSize size = size();
        LocalCluster.Plan plan = new LocalCluster.Plan(nodes, size, port, doors(), LocalCluster.SCHEDULER_NAMES);
        KubeconfigFile file = KubeconfigFile.at(kubeconfig);
        try (Shutdown shutdown = new Shutdown()) {
            LocalCluster.Running cluster = shutdown.owns(LocalCluster.start(plan, SteadyClock.system()));
            shutdown.owns(file).write(cluster.kubeconfig());
            greet(cluster, plan);
            return shutdown.await(cluster.berth().broken());
        }
    }

    private DoorSettings doors() {
        Set<DoorName> leftOut = without.doors();
        if (!leftOut.contains(DoorName.RESERVE)) {
            ReserveApiSettings api = reservePort.map(ReserveApiSettings::at).orElseGet(ReserveApiSettings::usual);
            return DoorSettings.DEFAULT.without(leftOut).withReserveApi(api);
        }
        reservePort.ifPresent(wanted -> {
            throw new ParameterException(
                    spec.commandLine(),
                    "--reserve-port (%d) is of no use without the door (%s)".formatted(wanted, DoorName.RESERVE));
        });
        return DoorSettings.DEFAULT.without(leftOut);
    }

    private void greet(LocalCluster.Running cluster, LocalCluster.Plan plan) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("Berth is up: %s. Kubernetes API at %s%n%n", described(nodes, plan.size()), cluster.url());
        out.printf("  export KUBECONFIG='%s'%n", kubeconfig.toAbsolutePath().normalize());
        out.println("  kubectl get nodes");
        out.println("  kubectl create deployment web --image=nginx --replicas=20");
        out.printf("  kubectl get pods -o wide%n%n");
        out.printf("%s%n", doors(plan.doors()));
        ListenerWords.of(cluster.berth()).forEach(out::println);
        out.println("Ctrl-C ends it.");
        out.flush();
    }

    static String doors(DoorSettings doors) {
        String open = doors.open().isEmpty() ? "none" : DoorName.list(doors.open());
        String leftOut = doors.leftOut().isEmpty() ? "" : "; left out: " + DoorName.list(doors.leftOut());
        return "Open doors: %s%s. What to write for each is in docs/doors".formatted(open, leftOut);
    }

    static String described(int nodes, NodeSize size) {
        return nodes == 1 ? "1 node with %s".formatted(size) : "%d nodes with %s each".formatted(nodes, size);
    }

    private NodeSize size() {
        try {
            return new NodeSize(cpu, memory, pods);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
    }

    private void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), "%s (%d) must be from %d to %d".formatted(option, value, least, most));
        }
    }
}
