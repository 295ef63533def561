package dev.berth.app.run;

import dev.berth.app.cli.UserError;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubeclient.kubeconfig.InClusterConfig;
import dev.berth.kubeclient.kubeconfig.Kubeconfig;
import dev.berth.kubeclient.pem.ClientConfigException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the access to the cluster: by the given option, else as kubectl does, and inside a pod by its service account.
 */
public final class ClusterAccessFinder {
    private ClusterAccessFinder() {}

    public static ClientConfig find(Optional<Path> kubeconfig, Map<String, String> environment, InstantSource clock) {
        try {
            Optional<Path> file = kubeconfig.or(() -> fromEnvironment(environment));
            if (file.isEmpty() && InClusterConfig.isAvailable(environment)) {
                return InClusterConfig.load(environment, clock);
            }
            return Kubeconfig.read(file.orElseGet(() -> defaultKubeconfig(environment)))
                    .clientConfig(clock);
        } catch (ClientConfigException unusable) {
            throw UserError.invalidSetting(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private static Optional<Path> fromEnvironment(Map<String, String> environment) {
        String value = environment.getOrDefault("KUBECONFIG", "");
        if (value.contains(":")) {
            throw UserError.invalidSetting(
                    "KUBECONFIG (%s) names several files; Berth reads only one. Maybe use --kubeconfig"
                            .formatted(value));
        }
        return value.isBlank() ? Optional.empty() : Optional.of(Path.of(value));
    }

    private static Path defaultKubeconfig(Map<String, String> environment) {
        return Path.of(environment.getOrDefault("HOME", "."), ".kube", "config");
    }
}
