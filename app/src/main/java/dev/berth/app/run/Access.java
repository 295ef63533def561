package dev.berth.app.run;

import dev.berth.app.UserError;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.connection.InCluster;
import dev.berth.kubernetes.connection.Kubeconfig;
import dev.berth.kubernetes.connection.UnusableAccess;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Finds out how to reach the cluster: as told, else as kubectl would, and inside a pod by its service account. */
public final class Access {
    private Access() {}

    public static ClusterAccess find(Optional<Path> told, Map<String, String> environment, InstantSource clock) {
        try {
            Optional<Path> file = told.or(() -> fromEnvironment(environment));
            if (file.isEmpty() && InCluster.here(environment)) {
                return InCluster.access(environment, clock);
            }
            return Kubeconfig.read(file.orElseGet(() -> inHome(environment))).access(clock);
        } catch (UnusableAccess unusable) {
            throw UserError.setting(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private static Optional<Path> fromEnvironment(Map<String, String> environment) {
        String value = environment.getOrDefault("KUBECONFIG", "");
        if (value.contains(":")) {
            throw UserError.setting("KUBECONFIG (%s) names several files, and Berth reads one. Maybe use --kubeconfig"
                    .formatted(value));
        }
        return value.isBlank() ? Optional.empty() : Optional.of(Path.of(value));
    }

    private static Path inHome(Map<String, String> environment) {
        return Path.of(environment.getOrDefault("HOME", "."), ".kube", "config");
    }
}
