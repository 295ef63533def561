package dev.berth.sandbox.schema;

/** The full name of a kind of object. The core group is the empty string. */
public record GroupVersionKind(String group, String version, String kind) {

    public GroupVersionKind {
        if (version.isEmpty() || kind.isEmpty()) {
            throw new IllegalArgumentException(
                    "version (%s) and kind (%s) of an object must both be named".formatted(version, kind));
        }
    }

    /** Parses the fields of an object, for example {@code ("apps/v1", "Deployment")} or {@code ("v1", "Pod")}. */
    public static GroupVersionKind of(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        if (slash != apiVersion.lastIndexOf('/')) {
            throw new IllegalArgumentException(
                    "apiVersion (%s) has more than one slash; write group/version, or v1".formatted(apiVersion));
        }
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return new GroupVersionKind(group, apiVersion.substring(slash + 1), kind);
    }

    /** The group and version as in the field {@code apiVersion}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    public GroupVersionKind withKind(String otherKind) {
        return new GroupVersionKind(group, version, otherKind);
    }

    @Override
    public String toString() {
        return apiVersion() + " " + kind;
    }
}
