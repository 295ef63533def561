package dev.berth.sandbox.validation.field;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The path of a field, as the API server writes it: {@code spec.containers[0].name}. Every check builds paths, but
 * only errors need the text. So the text is built only on demand.
 */
public final class FieldPath {
    private static final int FIELD = -1;
    private static final int KEY = -2;

    /** The object itself. The paths of its fields have no leading dot. */
    public static final FieldPath ROOT = new FieldPath(null, "", FIELD);

    private final @Nullable FieldPath parent;
    private final String part;
    // The index of a list element, or FIELD or KEY.
    private final int index;

    private FieldPath(@Nullable FieldPath parent, String part, int index) {
        this.parent = parent;
        this.part = part;
        this.index = index;
    }

    public static FieldPath of(String name, String... more) {
        FieldPath path = new FieldPath(null, name, FIELD);
        for (String next : more) {
            path = path.child(next);
        }
        return path;
    }

    public FieldPath child(String name) {
        return new FieldPath(this, name, FIELD);
    }

    public FieldPath index(int position) {
        return new FieldPath(this, "", position);
    }

    public FieldPath key(String key) {
        return new FieldPath(this, key, KEY);
    }

    /** Visits the elements of the list at this path, each with its own path. */
    public <T> void forEachIndexed(List<T> elements, BiConsumer<T, FieldPath> visit) {
        for (int i = 0; i < elements.size(); i++) {
            visit.accept(elements.get(i), index(i));
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        write(text);
        return text.toString();
    }

    private void write(StringBuilder text) {
        if (parent != null) {
            parent.write(text);
        }
        if (index >= 0) {
            text.append('[').append(index).append(']');
        } else if (index == KEY) {
            text.append('[').append(part).append(']');
        } else {
            text.append(text.isEmpty() ? "" : ".").append(part);
        }
    }
}
