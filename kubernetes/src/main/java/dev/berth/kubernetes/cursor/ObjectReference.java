package dev.berth.kubernetes.cursor;

/**
 * Which object it is, as far as that can be read. Each text is empty where it is missing or cannot be read.
 *
 * @param resourceVersion the resourceVersion
 */
public record ObjectReference(
        String apiVersion, String kind, String namespace, String name, String uid, String resourceVersion) {
    public static final ObjectReference UNKNOWN = new ObjectReference("", "", "", "", "", "");

    /** No name or UID of Kubernetes is longer. */
    public static final int MAX_TEXT_LENGTH = 512;

    /** The same object, with its type where it does not say it itself: items of a list do not. */
    public ObjectReference withTypeIfMissing(String defaultApiVersion, String defaultKind) {
        return new ObjectReference(
                apiVersion.isEmpty() ? defaultApiVersion : apiVersion,
                kind.isEmpty() ? defaultKind : kind,
                namespace,
                name,
                uid,
                resourceVersion);
    }

    /** Whether an event can be written about it. */
    public boolean isComplete() {
        return !apiVersion.isEmpty() && !kind.isEmpty() && !name.isEmpty() && !uid.isEmpty();
    }

    @Override
    public String toString() {
        return "%s (%s)".formatted(kind, namespace.isEmpty() ? name : namespace + "/" + name);
    }
}
