package dev.berth.kubeclient.kubeconfig;

import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.pem.FileOrInlineData;
import dev.berth.kubeclient.pem.Pem;
import dev.berth.kubeclient.tls.TlsClientConfig;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Access from inside a pod, with the service account token that the kubelet mounts and renews. */
public final class InClusterConfig {
    private static final Path SERVICE_ACCOUNT_DIRECTORY = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final String HOST_VARIABLE = "KUBERNETES_SERVICE_HOST";
    private static final String PORT_VARIABLE = "KUBERNETES_SERVICE_PORT";

    private InClusterConfig() {}

    /** Whether this process seems to run in a pod with access to the API server. */
    public static boolean isAvailable(Map<String, String> environment) {
        return environment.containsKey(HOST_VARIABLE)
                && environment.containsKey(PORT_VARIABLE)
                && Files.exists(SERVICE_ACCOUNT_DIRECTORY);
    }

    public static ClientConfig load(Map<String, String> environment, InstantSource clock) throws ClientConfigException {
        return load(environment, SERVICE_ACCOUNT_DIRECTORY, clock);
    }

    static ClientConfig load(Map<String, String> environment, Path directory, InstantSource clock)
            throws ClientConfigException {
        String host = requiredVariable(environment, HOST_VARIABLE);
        String port = requiredVariable(environment, PORT_VARIABLE);
        String address = "https://%s:%s".formatted(host.indexOf(':') >= 0 ? "[" + host + "]" : host, port);
        FileOrInlineData authority = FileOrInlineData.file("service account's ca.crt", directory.resolve("ca.crt"));
        Pem.certificates(authority);
        TlsClientConfig tls = new TlsClientConfig(Optional.of(authority), Optional.empty(), false, Optional.empty());
        Credentials token = new TokenFileCredentials(
                FileOrInlineData.file("service account's token", directory.resolve("token")), clock);
        try {
            return ClientConfig.of(URI.create(address), tls, token, namespace(directory));
        } catch (IllegalArgumentException malformed) {
            throw new ClientConfigException(
                    "%s (%s) and %s (%s) are not a valid address".formatted(HOST_VARIABLE, host, PORT_VARIABLE, port),
                    malformed);
        }
    }

    private static String requiredVariable(Map<String, String> environment, String name) throws ClientConfigException {
        String value = environment.get(name);
        if (value == null || value.isBlank()) {
            throw new ClientConfigException(
                    "%s is not set: this process does not run in a pod. Maybe give a kubeconfig.".formatted(name));
        }
        return value;
    }

    private static String namespace(Path directory) throws ClientConfigException {
        FileOrInlineData file = FileOrInlineData.file("service account's namespace", directory.resolve("namespace"));
        return new String(file.bytes(), StandardCharsets.UTF_8).strip();
    }
}
