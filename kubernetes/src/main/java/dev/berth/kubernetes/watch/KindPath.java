package dev.berth.kubernetes.watch;

import dev.berth.core.cluster.Workload;

/**
 * Where the API server has the objects of a kind, of all namespaces.
 *
 * @param optional whether a server may well be without it, and says so by that nobody has a right to it
 */
public record KindPath(String plural, String path, boolean optional) {
    public static final KindPath PODS = new KindPath("pods", "/api/v1/pods");
    public static final KindPath NODES = new KindPath("nodes", "/api/v1/nodes");

    public static final KindPath NAMESPACES = new KindPath("namespaces", "/api/v1/namespaces");

    public KindPath(String plural, String path) {
        this(plural, path, false);
    }

    /** The same kind, which a server may be without. */
    public KindPath orNone() {
        return new KindPath(plural, path, true);
    }

    public KindPath {
        if (!path.startsWith("/api")) {
            throw new IllegalArgumentException("path (%s) must begin with /api".formatted(path));
        }
    }

    public static KindPath of(Workload.Kind kind) {
        return switch (kind) {
            case SERVICE -> new KindPath("services", "/api/v1/services");
            case REPLICATION_CONTROLLER -> new KindPath("replicationcontrollers", "/api/v1/replicationcontrollers");
            case REPLICA_SET -> new KindPath("replicasets", "/apis/apps/v1/replicasets");
            case STATEFUL_SET -> new KindPath("statefulsets", "/apis/apps/v1/statefulsets");
        };
    }
}
