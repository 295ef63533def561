package dev.berth.sandbox.printers;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.time.Instant;
import java.util.List;

/** Converts objects of one kind to a Table. */
public final class TableConvertor {

    /** Computes the cells of a row. */
    @FunctionalInterface
    public interface RowPrinter {
        /** The cells of the object, one for each column, with ages relative to now. */
        List<JsonNode> cells(ObjectNode object, Instant now);
    }

    /** Adds the conditions of a row, such as the condition Completed of a finished pod. */
    @FunctionalInterface
    interface RowConditions {
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
        this.rowPrinter = requireNonNull(rowPrinter, "rowPrinter");
        this.rowConditions = requireNonNull(rowConditions, "rowConditions");
    }

    public List<TableColumn> columns() {
        return columns;
    }

    /**
     * Converts the objects to a {@code meta.k8s.io/v1} Table. The metadata of a Table of one object has the
     * resourceVersion of the object. For a list, {@link #withListMetadata} sets the metadata.
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

    /** Sets the metadata of the Table to that of the list: resourceVersion, continue, remainingItemCount. */
    public static ObjectNode withListMetadata(ObjectNode table, ObjectNode listMetadata) {
        table.set("metadata", listMetadata.deepCopy());
        return table;
    }

    /** Removes the column definitions. Only the first event of a watch has them. */
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
