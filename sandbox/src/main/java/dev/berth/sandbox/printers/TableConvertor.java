package dev.berth.sandbox.printers;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.time.Instant;
import java.util.List;

/** How one kind is printed: its columns, and the row of each object. */
public final class TableConvertor {

    /** The cells of one object, one for each column. */
    @FunctionalInterface
    public interface RowPrinter {
        /** The cells of the object, with ages counted up to now. */
        List<JsonNode> cells(ObjectNode object, Instant now);
    }

    /** What a row says of an object that has come to its end. */
    @FunctionalInterface
    interface RowConditions {
        /** Adds conditions to the row. */
        void addTo(ObjectNode row, ObjectNode object);
    }

    private final List<TableColumn> columns;
    private final RowPrinter rowPrinter;
    private final RowConditions rowConditions;

    public TableConvertor(List<TableColumn> columns, RowPrinter rowPrinter) {
        this(columns, rowPrinter, (cells, object) -> {});
    }

    TableConvertor(List<TableColumn> columns, RowPrinter rowPrinter, RowConditions rowConditions) {
        this.columns = List.copyOf(columns);
        this.rowPrinter = requireNonNull(rowPrinter, "row");
        this.rowConditions = requireNonNull(rowConditions, "ending");
    }

    public List<TableColumn> columns() {
        return columns;
    }

    /**
     * The {@code meta.k8s.io/v1} Table of the objects. For a single object or a watch event its metadata
     * carries the object's resourceVersion; a list puts its own there with {@link #withListMetadata}.
     */
    public ObjectNode convertToTable(List<ObjectNode> objects, IncludeObject include, Instant now) {
        ObjectNode table = JsonNodeFactory.instance.objectNode();
        table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        ObjectNode metadata = table.putObject("metadata");
        if (objects.size() == 1) {
            metadata.put("resourceVersion", NestedFields.text(objects.get(0), "metadata", "resourceVersion"));
        }
        ArrayNode definitions = table.putArray("columnDefinitions");
        columns.forEach(column -> column.addTo(definitions.addObject()));
        ArrayNode rows = table.putArray("rows");
        objects.forEach(object -> addRow(rows, object, include, now));
        return table;
    }

    /** The same Table with the metadata of the list it was made of: resourceVersion, continue, remainingItemCount. */
    public static ObjectNode withListMetadata(ObjectNode table, ObjectNode listMetadata) {
        table.set("metadata", listMetadata.deepCopy());
        return table;
    }

    /** The same Table without headers, as every watch event but the first carries it. */
    public static ObjectNode withoutHeaders(ObjectNode table) {
        table.putNull("columnDefinitions");
        return table;
    }

    private void addRow(ArrayNode rows, ObjectNode object, IncludeObject include, Instant now) {
        ObjectNode added = rows.addObject();
        added.putArray("cells").addAll(rowPrinter.cells(object, now));
        rowConditions.addTo(added, object);
        switch (include) {
            case NONE -> added.putNull("object");
            case METADATA -> added.set("object", partial(object));
            case OBJECT -> added.set("object", object);
        }
    }

    private static ObjectNode partial(ObjectNode object) {
        ObjectNode partial = JsonNodeFactory.instance.objectNode();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata"));
        return partial;
    }
}
