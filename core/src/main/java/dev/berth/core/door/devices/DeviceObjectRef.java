package dev.berth.core.door.devices;

/**
 * An object and its version.
 *
 * @param group the API group under which it is read and written
 * @param namespace empty for a cluster-scoped object
 */
public record DeviceObjectRef(String group, String namespace, String name, String uid, String resourceVersion) {
    public static final String API_VERSION = "v1alpha1";

    public String apiVersion() {
        return group + "/" + API_VERSION;
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
