package dev.berth.app;

import dev.berth.app.config.Config;
import dev.berth.app.config.ConfigFile;
import dev.berth.app.config.DoorName;
import dev.berth.app.run.Access;
import dev.berth.app.run.Berth;
import dev.berth.app.run.SteadyClock;
import dev.berth.kubernetes.connection.ClusterAccess;
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

/** {@code berth run}: Berth alone, against any Kubernetes. */
@Command(
        name = "run",
        description = {"Runs Berth as a scheduler of a Kubernetes cluster until it is asked to stop."},
        sortOptions = false,
        footer = {"", "Example: berth run --kubeconfig ~/.kube/config --config berth.yaml"})
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "How to reach the cluster (default: $KUBECONFIG, else a pod's service account,"
                    + " else ~/.kube/config).")
    private @Nullable Path kubeconfig;

    @Option(names = "--config", paramLabel = "FILE", description = "The settings (default: all at their defaults).")
    private @Nullable Path config;

    @Mixin
    private WithoutOption without = new WithoutOption();

    @Override
    public Integer call() throws InterruptedException {
        InstantSource clock = SteadyClock.system();
        Config settings = settings();
        ClusterAccess access = Access.find(Optional.ofNullable(kubeconfig), System.getenv(), clock);
        Speech speech = new Speech(spec.commandLine().getErr(), System.getenv());
        try (Shutdown shutdown = new Shutdown(() -> speech.say("Berth stopped on request"))) {
            speech.say("Berth starts: it places pods of %s at %s once everything is listed and it leads"
                    .formatted(String.join(", ", settings.schedulerNames()), access.endpoint()));
            if (!settings.doors().leftOut().isEmpty()) {
                speech.say("Left out: " + DoorName.list(settings.doors().leftOut()));
            }
            Berth berth = shutdown.owns(Berth.start(access, settings, clock, words -> speech.say("Berth " + words)));
            ListenerWords.of(berth).forEach(speech::say);
            return shutdown.await(berth.broken());
        }
    }

    private Config settings() {
        Config read = Optional.ofNullable(config).map(ConfigFile::read).orElse(Config.DEFAULT);
        try {
            return read.withDoors(read.doors().without(without.doors()));
        } catch (IllegalArgumentException contradiction) {
            throw UserError.setting(String.valueOf(contradiction.getMessage()), contradiction);
        }
    }
}
