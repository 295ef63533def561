package dev.berth.sandbox.schema;

/** The full name of a resource, as in the path of a request. The core group is the empty string. */
public record GroupVersionResource(String group, String version, String resource) {

    public GroupVersionResource {
        if (version.isEmpty() || resource.isEmpty()) {
            throw new IllegalArgumentException(
                    "version (%s) and resource (%s) of a path must both be named".formatted(version, resource));
        }
    }

    public String groupVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    @Override
    public String toString() {
        return groupVersion() + " " + resource;
    }
}
