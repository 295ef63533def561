package dev.berth.kubernetes.cursor;

/**
 * Which object it is, as far as that can be read. Each text is empty where it is missing or cannot be read.
 *
 * @param version the resourceVersion
 */
public record Identity(String apiVersion, String kind, String namespace, String name, String uid, String version) {
    public static final Identity UNKNOWN = new Identity("", "", "", "", "", "");

    /** No name or UID of Kubernetes is longer. */
    public static final int LONGEST_TEXT = 512;

    /** The same object, with its type where it does not say it itself: items of a list do not. */
    public Identity orOfType(String itsApiVersion, String itsKind) {
        return new Identity(
                apiVersion.isEmpty() ? itsApiVersion : apiVersion,
                kind.isEmpty() ? itsKind : kind,
                namespace,
                name,
                uid,
                version);
    }

    /** Whether an event can be written about it. */
    public boolean complete() {
        return !apiVersion.isEmpty() && !kind.isEmpty() && !name.isEmpty() && !uid.isEmpty();
    }

    @Override
    public String toString() {
        return "%s (%s)".formatted(kind, namespace.isEmpty() ? name : namespace + "/" + name);
    }
}
