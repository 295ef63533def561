package dev.berth.sandbox.client;

/** A kind and its resource: the path, the scope and the kind of the objects. */
public record RestMapping(String group, String version, String plural, String kind, boolean namespaced)
        implements Comparable<RestMapping> {

    public static final RestMapping PODS = core("pods", "Pod", true);
    public static final RestMapping NODES = core("nodes", "Node", false);
    public static final RestMapping NAMESPACES = core("namespaces", "Namespace", false);
    public static final RestMapping EVENTS = core("events", "Event", true);
    public static final RestMapping PERSISTENT_VOLUME_CLAIMS =
            core("persistentvolumeclaims", "PersistentVolumeClaim", true);
    public static final RestMapping PERSISTENT_VOLUMES = core("persistentvolumes", "PersistentVolume", false);
    public static final RestMapping SERVICE_ACCOUNTS = core("serviceaccounts", "ServiceAccount", true);
    public static final RestMapping DEPLOYMENTS = apps("deployments", "Deployment");
    public static final RestMapping REPLICA_SETS = apps("replicasets", "ReplicaSet");
    public static final RestMapping STATEFUL_SETS = apps("statefulsets", "StatefulSet");
    public static final RestMapping CONTROLLER_REVISIONS = apps("controllerrevisions", "ControllerRevision");
    public static final RestMapping LEASES = new RestMapping("coordination.k8s.io", "v1", "leases", "Lease", true);
    public static final RestMapping POD_DISRUPTION_BUDGETS =
            new RestMapping("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true);
    public static final RestMapping STORAGE_CLASSES =
            new RestMapping("storage.k8s.io", "v1", "storageclasses", "StorageClass", false);

    public static final RestMapping CUSTOM_RESOURCE_DEFINITIONS = new RestMapping(
            "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false);

    public RestMapping {
        if (version.isEmpty() || plural.isEmpty() || kind.isEmpty()) {
            throw new IllegalArgumentException(
                    "a resource needs version, plural and kind, but got (%s, %s, %s)".formatted(version, plural, kind));
        }
    }

    private static RestMapping core(String plural, String kind, boolean namespaced) {
        return new RestMapping("", "v1", plural, kind, namespaced);
    }

    private static RestMapping apps(String plural, String kind) {
        return new RestMapping("apps", "v1", plural, kind, true);
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The path of the collection across all namespaces. */
    public String path() {
        return groupVersionPath() + "/" + plural;
    }

    /** The path of the collection in one namespace; the whole collection for the empty namespace. */
    public String path(String namespace) {
        return namespace.isEmpty() ? path() : groupVersionPath() + "/namespaces/" + namespace + "/" + plural;
    }

    public ObjectLocation object(String namespace, String name) {
        return new ObjectLocation(this, namespace, name);
    }

    public ObjectLocation clusterObject(String name) {
        return new ObjectLocation(this, "", name);
    }

    private String groupVersionPath() {
        return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    }

    @Override
    public int compareTo(RestMapping other) {
        return path().compareTo(other.path());
    }
}
