package dev.berth.embedded.validation;

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

    @Override
    public String toString() {
        return text;
    }
}
