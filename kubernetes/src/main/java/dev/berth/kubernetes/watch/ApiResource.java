package dev.berth.kubernetes.watch;

import dev.berth.core.cluster.Workload;

/**
 * The path of a kind, for all namespaces.
 *
 * @param kind as in the objects
 * @param optional whether a server may lack the kind, and may then answer 403
 */
public record ApiResource(String plural, String kind, String path, boolean optional) {
    public static final ApiResource PODS = new ApiResource("pods", "Pod", "/api/v1/pods");
    public static final ApiResource NODES = new ApiResource("nodes", "Node", "/api/v1/nodes");

    public static final ApiResource NAMESPACES = new ApiResource("namespaces", "Namespace", "/api/v1/namespaces");

    public ApiResource(String plural, String kind, String path) {
        this(plural, kind, path, false);
    }

    /** The same kind as optional. */
    public ApiResource asOptional() {
        return new ApiResource(plural, kind, path, true);
    }

    public ApiResource {
        if (!path.startsWith("/api")) {
            throw new IllegalArgumentException("path (%s) must begin with /api".formatted(path));
        }
    }

    /** The group and version of the path, as in the objects. */
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
