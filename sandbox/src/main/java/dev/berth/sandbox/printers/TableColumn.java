package dev.berth.sandbox.printers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/**
 * One column of a Table.
 *
 * @param priority if greater than 0, kubectl shows the column only with {@code -o wide}
 */
public record TableColumn(String name, String type, String format, String description, int priority) {

    /**
     * Parses columns from a short notation: {@code Ready} is a string column, {@code Desired:integer} has another type,
     * {@code IP+} is shown only with {@code -o wide}, and {@code Attacher=name} has the format {@code name}. The column
     * {@code Name} always has this format.
     */
    static List<TableColumn> parseAll(String... forms) {
        return Stream.of(forms).map(TableColumn::parse).toList();
    }

    private static TableColumn parse(String form) {
        boolean wide = form.endsWith("+");
        boolean named = form.endsWith("=name") || form.equals("Name");
        String nameAndType = wide ? form.substring(0, form.length() - 1) : form.replace("=name", "");
        int colon = nameAndType.indexOf(':');
        String name = colon < 0 ? nameAndType : nameAndType.substring(0, colon);
        String type = colon < 0 ? "string" : nameAndType.substring(colon + 1);
        return new TableColumn(name, type, named ? "name" : "", "", wide ? 1 : 0);
    }

    void addTo(ObjectNode definition) {
        definition.put("name", name).put("type", type).put("format", format);
        definition.put("description", description).put("priority", priority);
    }
}
