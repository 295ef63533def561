package dev.berth.sandbox.printers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/**
 * One column of a Table.
 *
 * @param priority above zero it is shown with {@code -o wide} only
 */
public record TableColumn(String name, String type, String format, String description, int priority) {

    /**
     * Columns from their short forms: a name of texts ({@code Ready}), perhaps with another type after a colon
     * ({@code Desired:integer}), a plus at the end where it is only for {@code -o wide}, {@code =name} where it holds
     * names as the column {@code Name} does.
     */
    static List<TableColumn> parseAll(String... forms) {
        return Stream.of(forms).map(TableColumn::parse).toList();
    }

    private static TableColumn parse(String form) {
        boolean wide = form.endsWith("+");
        boolean named = form.endsWith("=name") || form.equals("Name");
        String bare = wide ? form.substring(0, form.length() - 1) : form.replace("=name", "");
        int colon = bare.indexOf(':');
        String name = colon < 0 ? bare : bare.substring(0, colon);
        String type = colon < 0 ? "string" : bare.substring(colon + 1);
        return new TableColumn(name, type, named ? "name" : "", "", wide ? 1 : 0);
    }

    void addTo(ObjectNode definition) {
        definition.put("name", name).put("type", type).put("format", format);
        definition.put("description", description).put("priority", priority);
    }
}
