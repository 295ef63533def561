package dev.berth.kubernetes.projection;

import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;

/**
 * An object of which only the version is read.
 *
 * @param initialEventsEnd whether it ends the initial list of a watch
 */
public record Bookmark(String resourceVersion, boolean initialEventsEnd) {
    private static final FieldNames OBJECT = FieldNames.none().with(1, "metadata");
    private static final String END = "k8s.io/initial-events-end";

    public static Bookmark read(Cursor in) {
        ObjectMeta meta = new ObjectMeta(END::equals);
        for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
            if (field == 1) {
                meta.read(in);
            } else {
                in.skip();
            }
        }
        return new Bookmark(meta.resourceVersion(), meta.annotations().has(END, "true"));
    }
}
