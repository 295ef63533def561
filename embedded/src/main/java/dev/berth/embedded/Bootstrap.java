package dev.berth.embedded;

import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What every cluster has before anybody asks: its namespaces, the two system priorities and the service of the API. */
final class Bootstrap {

    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");

    private Bootstrap() {}

    static void run(ApiServer server) {
        for (String namespace : NAMESPACES) {
            create(server, "/api/v1/namespaces", "metadata: {name: " + namespace + "}");
        }
        createPriority(
                server,
                "system-cluster-critical",
                2_000_000_000,
                "Used for system critical pods that must run in the cluster, but can be moved to another node if"
                        + " necessary.");
        createPriority(
                server,
                "system-node-critical",
                2_000_001_000,
                "Used for system critical pods that must not be moved from their current node.");
        create(server, "/api/v1/namespaces/default/services", """
                metadata: {name: kubernetes, labels: {component: apiserver, provider: kubernetes}}
                spec:
                  clusterIP: 10.96.0.1
                  ports: [{name: https, port: 443, protocol: TCP, targetPort: 6443}]
                """);
    }

    private static void createPriority(ApiServer server, String name, int value, String description) {
        create(server, "/apis/scheduling.k8s.io/v1/priorityclasses", """
                metadata: {name: %s}
                value: %d
                description: "%s"
                """.formatted(name, value, description));
    }

    private static void create(ApiServer server, String path, String yaml) {
        Request request = Request.of("POST", path).body("application/yaml", yaml.getBytes(StandardCharsets.UTF_8));
        if (!(server.handle(request) instanceof Answer answer) || answer.code() != 201) {
            throw new IllegalStateException("the server refused its own object at (" + path + "): " + yaml);
        }
    }
}
