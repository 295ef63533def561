package dev.berth.embedded.validation;

import java.util.List;
import java.util.function.BiConsumer;

/** Where a field stands, as the API server writes it: {@code spec.containers[0].name}. */
public final class Path {
    /** The object itself; its children are written without a leading dot. */
    public static final Path ROOT = new Path("");

    private final String text;

    private Path(String text) {
        this.text = text;
    }

    public static Path of(String name, String... more) {
        Path path = new Path(name);
        for (String next : more) {
            path = path.child(next);
        }
        return path;
    }

    public Path child(String name) {
        return new Path(text.isEmpty() ? name : text + "." + name);
    }

    public Path index(int index) {
        return new Path(text + "[" + index + "]");
    }

    public Path key(String key) {
        return new Path(text + "[" + key + "]");
    }

    /** Visits the elements of the list that stands here, each with its own path. */
    public <T> void each(List<T> elements, BiConsumer<T, Path> visit) {
        for (int i = 0; i < elements.size(); i++) {
            visit.accept(elements.get(i), index(i));
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
