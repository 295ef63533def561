package dev.berth.bench.cluster;

import dev.berth.testkit.controlplane.ManagedProcess;
import dev.berth.testkit.controlplane.RealControlPlane;
import java.nio.file.Path;
import java.util.List;

/** Starts schedulers as separate processes, as users do. */
final class SchedulerLauncher {
    private final Path home;

    /** @param home the repository, whose {@code berth} is run */
    SchedulerLauncher(Path home) {
        this.home = home;
    }

    ManagedProcess start(Scenario.Binder binder, RealControlPlane plane) {
        return switch (binder) {
            case BERTH ->
                plane.startProcess(
                        "berth",
                        List.of(
                                home.resolve("berth").toString(),
                                "run",
                                "--kubeconfig",
                                plane.kubeconfig().toString()));
            case KUBE_SCHEDULER -> plane.startKubeScheduler(SchedulerLauncher::unthrottledConfiguration);
            case NONE -> throw new IllegalArgumentException("the scenario without a scheduler starts no process");
        };
    }

    /** The defaults, except for deliberate delays, and with protobuf. */
    private static String unthrottledConfiguration(Path kubeconfig) {
        return """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection:
                  leaderElect: false
                clientConnection:
                  kubeconfig: %s
                  contentType: application/vnd.kubernetes.protobuf
                  qps: 10000
                  burst: 10000
                """.formatted(kubeconfig);
    }
}
