package dev.berth.kubernetes.connection;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Access from inside a pod: the service account that the kubelet mounts and renews. */
public final class InCluster {
    private static final Path MOUNTED = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final String HOST = "KUBERNETES_SERVICE_HOST";
    private static final String PORT = "KUBERNETES_SERVICE_PORT";

    private InCluster() {}

    /** Whether this process seems to run in a pod that may speak to the API server. */
    public static boolean here(Map<String, String> environment) {
        return environment.containsKey(HOST) && environment.containsKey(PORT) && Files.exists(MOUNTED);
    }

    public static ClusterAccess access(Map<String, String> environment, InstantSource clock) throws UnusableAccess {
        return access(environment, MOUNTED, clock);
    }

    static ClusterAccess access(Map<String, String> environment, Path mounted, InstantSource clock)
            throws UnusableAccess {
        String host = variable(environment, HOST);
        String port = variable(environment, PORT);
        String address = "https://%s:%s".formatted(host.indexOf(':') >= 0 ? "[" + host + "]" : host, port);
        Material authority = Material.file("service account's ca.crt", mounted.resolve("ca.crt"));
        Pem.certificates(authority);
        TlsMaterial tls = new TlsMaterial(Optional.of(authority), Optional.empty(), false, Optional.empty());
        Credentials token = new TokenFile(Material.file("service account's token", mounted.resolve("token")), clock);
        try {
            return ClusterAccess.of(URI.create(address), tls, token, namespace(mounted));
        } catch (IllegalArgumentException malformed) {
            throw new UnusableAccess(
                    "%s (%s) and %s (%s) make no address".formatted(HOST, host, PORT, port), malformed);
        }
    }

    private static String variable(Map<String, String> environment, String name) throws UnusableAccess {
        String value = environment.get(name);
        if (value == null || value.isBlank()) {
            throw new UnusableAccess(
                    "%s is not set: this process does not run in a pod. Maybe give a kubeconfig.".formatted(name));
        }
        return value;
    }

    private static String namespace(Path mounted) throws UnusableAccess {
        Material file = Material.file("service account's namespace", mounted.resolve("namespace"));
        return new String(file.bytes(), StandardCharsets.UTF_8).strip();
    }
}
