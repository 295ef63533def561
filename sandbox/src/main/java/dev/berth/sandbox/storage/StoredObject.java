package dev.berth.sandbox.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One version of one object. The tree is shared by all readers and must never be changed. A writer
 * copies the parts that differ. Encoded forms are computed on first use and cached, so that any number of watchers costs
 * one encoding.
 */
public final class StoredObject {

    private final StorageKey key;
    private final ObjectNode tree;
    private final long revision;

    private volatile @Nullable CachedEncoding cachedEncodings;

    StoredObject(StorageKey key, ObjectNode tree, long revision) {
        this.key = Objects.requireNonNull(key, "key");
        this.tree = Objects.requireNonNull(tree, "tree");
        this.revision = revision;
    }

    /** An object outside of the store: the result of a dry run. */
    public static StoredObject notStored(StorageKey key, ObjectNode tree, long revision) {
        return new StoredObject(key, tree, revision);
    }

    public StorageKey key() {
        return key;
    }

    /** The object itself; shared, read only. */
    public ObjectNode tree() {
        return tree;
    }

    /** The revision of this version; equals {@code metadata.resourceVersion}. */
    public long revision() {
        return revision;
    }

    /** The object in that encoding; shared, read only. */
    @SuppressWarnings("unchecked")
    public <T> T encodedAs(Encoding<T> encoding) {
        for (CachedEncoding each = cachedEncodings; each != null; each = each.next) {
            if (each.encoding == encoding) {
                return (T) each.form;
            }
        }
        T form = encoding.encode(tree);
        // Two threads may both encode. The results are equal, and losing one entry only costs time.
        cachedEncodings = new CachedEncoding(encoding, form, cachedEncodings);
        return form;
    }

    /** The same content with another revision: the event when an object leaves the selection. */
    public StoredObject withRevision(long otherRevision) {
        return new StoredObject(key, ObjectMetaEditor.withResourceVersion(tree, otherRevision), otherRevision);
    }

    private static final class CachedEncoding {
        private final Encoding<?> encoding;
        private final Object form;
        private final @Nullable CachedEncoding next;

        CachedEncoding(Encoding<?> encoding, Object form, @Nullable CachedEncoding next) {
            this.encoding = encoding;
            this.form = form;
            this.next = next;
        }
    }
}
