package dev.berth.embedded.table;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;

/** How one kind is printed: its columns, and the row of each object. */
public final class TableLayout {

    /** The cells of one object, one for each column. */
    @FunctionalInterface
    public interface Cells {
        /** The cells of the object, with ages counted up to now. */
        List<JsonNode> of(ObjectNode object, Instant now);
    }

    private final List<Column> columns;
    private final Cells cells;

    public TableLayout(List<Column> columns, Cells cells) {
        this.columns = List.copyOf(columns);
        this.cells = requireNonNull(cells, "cells");
    }

    public List<Column> columns() {
        return columns;
    }

    /**
     * The {@code meta.k8s.io/v1} Table of the objects. For a single object or a watch event its metadata
     * carries the object's resourceVersion; a list puts its own there with {@link #listed}.
     */
    public ObjectNode table(List<ObjectNode> objects, IncludeObject include, Instant now) {
        ObjectNode table = JsonNodeFactory.instance.objectNode();
        table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        table.putObject("metadata");
        ArrayNode definitions = table.putArray("columnDefinitions");
        columns.forEach(column -> column.addTo(definitions.addObject()));
        ArrayNode rows = table.putArray("rows");
        objects.forEach(object -> addRow(rows, object, include, now));
        return table;
    }

    /** The same Table with the metadata of the list it was made of: resourceVersion, continue, remainingItemCount. */
    public static ObjectNode listed(ObjectNode table, ObjectNode listMetadata) {
        table.set("metadata", listMetadata.deepCopy());
        return table;
    }

    /** The same Table without headers, as every watch event but the first carries it. */
    public static ObjectNode withoutHeaders(ObjectNode table) {
        table.putNull("columnDefinitions");
        return table;
    }

    private void addRow(ArrayNode rows, ObjectNode object, IncludeObject include, Instant now) {
        ObjectNode row = rows.addObject();
        row.putArray("cells").addAll(cells.of(object, now));
        switch (include) {
            case NONE -> row.putNull("object");
            case METADATA -> row.set("object", partial(object));
            case OBJECT -> row.set("object", object);
        }
    }

    private static ObjectNode partial(ObjectNode object) {
        ObjectNode partial = JsonNodeFactory.instance.objectNode();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata"));
        return partial;
    }
}
