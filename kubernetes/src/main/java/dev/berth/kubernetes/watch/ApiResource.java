package dev.berth.kubernetes.watch;

import dev.berth.core.cluster.Workload;

/**
 * Where the API server has the objects of a kind, of all namespaces.
 *
 * @param kind as the objects name it
 * @param optional whether a server may well be without it, and says so by that nobody has a right to it
 */
public record ApiResource(String plural, String kind, String path, boolean optional) {
    public static final ApiResource PODS = new ApiResource("pods", "Pod", "/api/v1/pods");
    public static final ApiResource NODES = new ApiResource("nodes", "Node", "/api/v1/nodes");

    public static final ApiResource NAMESPACES = new ApiResource("namespaces", "Namespace", "/api/v1/namespaces");

    public ApiResource(String plural, String kind, String path) {
        this(plural, kind, path, false);
    }

    /** The same kind, which a server may be without. */
    public ApiResource asOptional() {
        return new ApiResource(plural, kind, path, true);
    }

    public ApiResource {
        if (!path.startsWith("/api")) {
            throw new IllegalArgumentException("path (%s) must begin with /api".formatted(path));
        }
    }

    /** The group and version in the path, as objects name them. */
    public String apiVersion() {
        String within = path.substring(0, path.lastIndexOf('/'));
        return within.startsWith("/apis/") ? within.substring("/apis/".length()) : within.substring("/api/".length());
    }

    public static ApiResource forWorkload(Workload.Kind kind) {
        return switch (kind) {
            case SERVICE -> new ApiResource("services", "Service", "/api/v1/services");
            case REPLICATION_CONTROLLER ->
                new ApiResource("replicationcontrollers", "ReplicationController", "/api/v1/replicationcontrollers");
            case REPLICA_SET -> new ApiResource("replicasets", "ReplicaSet", "/apis/apps/v1/replicasets");
            case STATEFUL_SET -> new ApiResource("statefulsets", "StatefulSet", "/apis/apps/v1/statefulsets");
        };
    }
}
