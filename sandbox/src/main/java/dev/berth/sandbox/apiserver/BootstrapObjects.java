package dev.berth.sandbox.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.unstructured.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Creates the objects that every cluster has from the start: namespaces, system priority classes, the API service and the
 * roles of schedulers and administrators.
 */
final class BootstrapObjects {

    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");

    private static final String ROLES = "roles.json";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";

    private BootstrapObjects() {}

    static void createAll(InMemoryApiServer server) {
        for (String namespace : NAMESPACES) {
            create(server, "/api/v1/namespaces", newNamedObject(namespace));
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
        createService(server);
        createRoles(server);
    }

    /** The roles have no effect here, but users read, edit and bind them. */
    private static void createRoles(InMemoryApiServer server) {
        JsonNode kinds = roles();
        for (Map.Entry<String, JsonNode> kind : kinds.properties()) {
            boolean clusterWide = kind.getKey().startsWith("cluster");
            String path = RBAC + (clusterWide ? "" : "/namespaces/kube-system") + "/" + kind.getKey();
            for (Map.Entry<String, JsonNode> role : kind.getValue().properties()) {
                ObjectNode object = newNamedObject(role.getKey());
                ObjectNode metadata = object.withObjectProperty("metadata");
                metadata.putObject("annotations").put("rbac.authorization.kubernetes.io/autoupdate", "true");
                metadata.putObject("labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
                object.setAll((ObjectNode) role.getValue());
                create(server, path, object);
            }
        }
    }

    private static JsonNode roles() {
        try (InputStream in = BootstrapObjects.class.getResourceAsStream(ROLES)) {
            if (in == null) {
                throw new IllegalStateException("resource (%s) is missing from the program".formatted(ROLES));
            }
            return JsonText.read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("resource (%s) cannot be read".formatted(ROLES), e);
        }
    }

    private static void createService(InMemoryApiServer server) {
        ObjectNode service = newNamedObject("kubernetes");
        service.withObjectProperty("metadata")
                .putObject("labels")
                .put("component", "apiserver")
                .put("provider", "kubernetes");
        ObjectNode spec = service.putObject("spec").put("clusterIP", "10.96.0.1");
        ObjectNode port = spec.putArray("ports").addObject();
        port.put("name", "https").put("port", 443).put("protocol", "TCP").put("targetPort", 6443);
        create(server, "/api/v1/namespaces/default/services", service);
    }

    private static void createPriority(InMemoryApiServer server, String name, int value, String description) {
        ObjectNode priority = newNamedObject(name).put("value", value).put("description", description);
        create(server, "/apis/scheduling.k8s.io/v1/priorityclasses", priority);
    }

    private static ObjectNode newNamedObject(String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.putObject("metadata").put("name", name);
        return object;
    }

    private static void create(InMemoryApiServer server, String path, ObjectNode object) {
        RestRequest request = RestRequest.of("POST", path).withJson(object);
        if (!(server.handle(request) instanceof BodyResponse bodyResponse) || bodyResponse.code() != 201) {
            throw new IllegalStateException("the server refused its own object at (" + path + "): " + object);
        }
    }
}
