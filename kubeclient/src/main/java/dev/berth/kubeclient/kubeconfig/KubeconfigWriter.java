package dev.berth.kubeclient.kubeconfig;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes a kubeconfig for kubectl. */
public final class KubeconfigWriter {
    private KubeconfigWriter() {}

    /**
     * A kubeconfig with one context, for access by a bearer token.
     *
     * @param name of the cluster, the user and the context
     */
    public static String withBearerToken(String name, String server, String authorityPem, String token) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: %1$s
                  cluster:
                    server: %2$s
                    certificate-authority-data: %3$s
                users:
                - name: %1$s
                  user:
                    token: %4$s
                contexts:
                - name: %1$s
                  context:
                    cluster: %1$s
                    user: %1$s
                current-context: %1$s
                """.formatted(
                        name,
                        server,
                        Base64.getEncoder().encodeToString(authorityPem.getBytes(StandardCharsets.US_ASCII)),
                        token);
    }
}
