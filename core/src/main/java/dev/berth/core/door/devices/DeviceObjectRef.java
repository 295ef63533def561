package dev.berth.core.door.devices;

/**
 * Which object, and as of when.
 *
 * @param group the API group under which it was read and is written
 * @param namespace empty for an object of the whole cluster
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
