package dev.berth.embedded.table;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** One column of a Table; a priority above zero is shown with {@code -o wide} only. */
public record Column(String name, String type, String format, String description, int priority) {

    /** A column of texts that is always shown. */
    public static Column of(String name) {
        return new Column(name, "string", "", "", 0);
    }

    public Column typed(String newType) {
        return new Column(name, newType, format, description, priority);
    }

    public Column formatted(String newFormat) {
        return new Column(name, type, newFormat, description, priority);
    }

    public Column described(String newDescription) {
        return new Column(name, type, format, newDescription, priority);
    }

    /** The same column, shown with {@code -o wide} only. */
    public Column wide() {
        return new Column(name, type, format, description, 1);
    }

    void addTo(ObjectNode definition) {
        definition.put("name", name).put("type", type).put("format", format);
        definition.put("description", description).put("priority", priority);
    }
}
