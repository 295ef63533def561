package dev.berth.app;

import dev.berth.app.cli.Console;
import dev.berth.app.cli.Shutdown;
import dev.berth.app.cli.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.ConfigFile;
import dev.berth.app.run.Berth;
import dev.berth.app.run.ClusterAccessFinder;
import dev.berth.app.run.SteadyClock;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth run}: Berth against any Kubernetes cluster. */
@Command(
        name = "run",
        description = {"Runs Berth as a scheduler of a Kubernetes cluster until it is stopped."},
        sortOptions = false,
        footer = {"", "Example: berth run --kubeconfig ~/.kube/config --config berth.yaml"})
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "The kubeconfig of the cluster (default: $KUBECONFIG, else the pod's service account, else ~/.kube/config).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration file (default: every setting has its default).")
    private @Nullable Path config;

    @Mixin
    private DisabledDoorsOption disabledDoors = new DisabledDoorsOption();

    @Override
    public Integer call() throws InterruptedException {
        InstantSource clock = SteadyClock.system();
        Config settings = readConfig();
        ClientConfig access = ClusterAccessFinder.find(Optional.ofNullable(kubeconfig), System.getenv(), clock);
        Console console = new Console(spec.commandLine().getErr(), System.getenv());
        try (Shutdown shutdown = new Shutdown(() -> console.println("Berth stopped on request"))) {
            console.println(
                    "Berth is starting: it will place pods with schedulerName %s at %s as soon as it leads and has listed the cluster"
                            .formatted(String.join(", ", settings.schedulerNames()), access.endpoint()));
            if (!settings.doors().disabled().isEmpty()) {
                console.println(
                        "Disabled doors: " + DoorId.join(settings.doors().disabled()));
            }
            Berth berth = shutdown.register(
                    Berth.start(access, settings, clock, message -> console.println("Berth " + message)));
            ListenerSummary.describe(berth).forEach(console::println);
            return shutdown.await(berth.failure());
        }
    }

    private Config readConfig() {
        Config read = Optional.ofNullable(config).map(ConfigFile::read).orElse(Config.DEFAULT);
        try {
            return read.withDoors(read.doors().withDisabled(disabledDoors.doors()));
        } catch (IllegalArgumentException contradiction) {
            throw UserError.invalidSetting(String.valueOf(contradiction.getMessage()), contradiction);
        }
    }
}
