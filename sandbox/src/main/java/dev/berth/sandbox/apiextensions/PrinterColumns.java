package dev.berth.sandbox.apiextensions;

import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.sandbox.printers.HumanDuration;
import dev.berth.sandbox.printers.TableColumn;
import dev.berth.sandbox.printers.TableConvertor;
import dev.berth.sandbox.unstructured.NestedFields;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The additional printer columns of a definition. A kind without columns shows its name and age. */
final class PrinterColumns {
    private static final TableColumn NAME = new TableColumn("Name", "string", "name", "", 0);

    private record PrinterColumn(String type, Optional<JsonPath> path) {}

    private PrinterColumns() {}

    static TableConvertor tableConvertor(ObjectNode version) {
        List<ObjectNode> wished = objects(version, "additionalPrinterColumns");
        List<TableColumn> columns = new ArrayList<>(List.of(NAME));
        List<PrinterColumn> printerColumn = new ArrayList<>();
        for (ObjectNode column : wished) {
            columns.add(new TableColumn(
                    text(column, "name"),
                    text(column, "type"),
                    text(column, "format"),
                    text(column, "description"),
                    (int) number(column, "priority")));
            printerColumn.add(new PrinterColumn(text(column, "type"), JsonPath.parse(text(column, "jsonPath"))));
        }
        if (wished.isEmpty()) {
            columns.add(new TableColumn("Age", "date", "", "", 0));
            printerColumn.add(new PrinterColumn("date", JsonPath.parse(".metadata.creationTimestamp")));
        }
        return new TableConvertor(columns, (object, now) -> cells(object, printerColumn, now));
    }

    private static List<JsonNode> cells(ObjectNode object, List<PrinterColumn> columns, Instant now) {
        List<JsonNode> cells = new ArrayList<>();
        cells.add(TextNode.valueOf(NestedFields.text(object, "metadata", "name")));
        for (PrinterColumn column : columns) {
            cells.add(column.path()
                    .flatMap(path -> path.findFirst(object))
                    .filter(value -> !value.isNull())
                    .map(value -> cell(column.type(), value, now))
                    .orElse(NullNode.getInstance()));
        }
        return cells;
    }

    private static JsonNode cell(String type, JsonNode value, Instant now) {
        return switch (type) {
            case "string" -> TextNode.valueOf(value.isContainerNode() ? value.toString() : value.asText());
            case "integer" -> value.isNumber() ? LongNode.valueOf(value.longValue()) : NullNode.getInstance();
            case "number" -> value.isNumber() ? DoubleNode.valueOf(value.doubleValue()) : NullNode.getInstance();
            case "boolean" -> value.isBoolean() ? value : NullNode.getInstance();
            case "date" -> value.isTextual() ? age(value.textValue(), now) : NullNode.getInstance();
            default -> NullNode.getInstance();
        };
    }

    private static JsonNode age(String time, Instant now) {
        try {
            OffsetDateTime.parse(time);
        } catch (DateTimeException e) {
            return TextNode.valueOf("<invalid>");
        }
        return TextNode.valueOf(HumanDuration.since(time, now));
    }
}
