package dev.berth.embedded.client;

/** A kind as an API server serves it: where it is found and what its objects call themselves. */
public record Resource(String group, String version, String plural, String kind, boolean namespaced)
        implements Comparable<Resource> {

    public static final Resource PODS = core("pods", "Pod", true);
    public static final Resource NODES = core("nodes", "Node", false);
    public static final Resource NAMESPACES = core("namespaces", "Namespace", false);
    public static final Resource EVENTS = core("events", "Event", true);
    public static final Resource CLAIMS = core("persistentvolumeclaims", "PersistentVolumeClaim", true);
    public static final Resource VOLUMES = core("persistentvolumes", "PersistentVolume", false);
    public static final Resource SERVICE_ACCOUNTS = core("serviceaccounts", "ServiceAccount", true);
    public static final Resource DEPLOYMENTS = apps("deployments", "Deployment");
    public static final Resource REPLICA_SETS = apps("replicasets", "ReplicaSet");
    public static final Resource STATEFUL_SETS = apps("statefulsets", "StatefulSet");
    public static final Resource REVISIONS = apps("controllerrevisions", "ControllerRevision");
    public static final Resource LEASES = new Resource("coordination.k8s.io", "v1", "leases", "Lease", true);
    public static final Resource BUDGETS =
            new Resource("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true);
    public static final Resource STORAGE_CLASSES =
            new Resource("storage.k8s.io", "v1", "storageclasses", "StorageClass", false);

    public static final Resource DEFINITIONS =
            new Resource("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false);

    public Resource {
        if (version.isEmpty() || plural.isEmpty() || kind.isEmpty()) {
            throw new IllegalArgumentException(
                    "a resource needs version, plural and kind, but got (%s, %s, %s)".formatted(version, plural, kind));
        }
    }

    private static Resource core(String plural, String kind, boolean namespaced) {
        return new Resource("", "v1", plural, kind, namespaced);
    }

    private static Resource apps(String plural, String kind) {
        return new Resource("apps", "v1", plural, kind, true);
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The path of the collection across all namespaces. */
    public String path() {
        return base() + "/" + plural;
    }

    /** The path of the collection in one namespace; the whole collection for the empty namespace. */
    public String path(String namespace) {
        return namespace.isEmpty() ? path() : base() + "/namespaces/" + namespace + "/" + plural;
    }

    public Address at(String namespace, String name) {
        return new Address(this, namespace, name);
    }

    public Address named(String name) {
        return new Address(this, "", name);
    }

    private String base() {
        return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    }

    @Override
    public int compareTo(Resource other) {
        return path().compareTo(other.path());
    }
}
