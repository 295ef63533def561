package dev.berth.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The part of a shared server that belongs to one test: a namespace, unique names, and a list of objects to delete
 * afterwards.
 */
public final class TestNamespace implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final HttpApi api;
    private final int number = COUNT.incrementAndGet();
    private final String name = "contract-" + number;
    private final Deque<String> toDelete = new ArrayDeque<>();

    public TestNamespace(HttpApi api) {
        this.api = api;
        ObjectNode body = Manifests.yaml("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(name));
        api.post("/api/v1/namespaces", body).expect(201);
    }

    public String namespace() {
        return name;
    }

    /** A unique name for cluster-scoped objects. */
    public String uniqueName(String base) {
        return base + "-" + number;
    }

    /** The path of core objects in this namespace: {@code pods}, {@code pods/web/status}. */
    public String path(String rest) {
        return "/api/v1/namespaces/%s/%s".formatted(name, rest);
    }

    /** The path of objects of another group in this namespace: {@code apps/v1}, {@code deployments/web}. */
    public String path(String groupVersion, String rest) {
        return "/apis/%s/namespaces/%s/%s".formatted(groupVersion, name, rest);
    }

    /** Creates an object outside of this namespace, and deletes it when the test ends. */
    public ApiResponse create(String path, JsonNode object) {
        ApiResponse created = api.post(path, object).expect(201);
        deleteLater(path + "/" + created.at("/metadata/name"));
        return created;
    }

    public void deleteLater(String path) {
        toDelete.push(path);
    }

    /** Deletes everything, without waiting for the end of the namespace. */
    @Override
    public void close() {
        while (!toDelete.isEmpty()) {
            String path = toDelete.pop();
            ApiResponse apiResponse = api.delete(path + "?gracePeriodSeconds=0");
            if (apiResponse.status() != 404 && apiResponse.status() / 100 != 2) {
                throw new AssertionError("DELETE %s after a test: %s".formatted(path, apiResponse));
            }
        }
        // Bound pods would wait for a kubelet that does not exist. A list from the cache is enough, and is faster than
        // a consistent one.
        for (String pod : api.get(path("pods?resourceVersion=0")).expect(200).names()) {
            api.delete(path("pods/" + pod + "?gracePeriodSeconds=0"));
        }
        api.delete("/api/v1/namespaces/" + name);
    }
}
