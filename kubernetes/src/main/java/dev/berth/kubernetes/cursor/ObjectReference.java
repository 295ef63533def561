package dev.berth.kubernetes.cursor;

/**
 * The identity of an object, as far as it can be read. A text is empty if it is missing or malformed.
 *
 * @param resourceVersion the resourceVersion
 */
public record ObjectReference(
        String apiVersion, String kind, String namespace, String name, String uid, String resourceVersion) {
    public static final ObjectReference UNKNOWN = new ObjectReference("", "", "", "", "", "");

    /** No name or UID of Kubernetes is longer. */
    public static final int MAX_TEXT_LENGTH = 512;

    /** The same object with its type added if the object does not contain it: items of a list do not. */
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
