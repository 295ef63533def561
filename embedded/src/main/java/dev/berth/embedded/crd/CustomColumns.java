package dev.berth.embedded.crd;

import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.embedded.table.Ages;
import dev.berth.embedded.table.Column;
import dev.berth.embedded.table.TableLayout;
import dev.berth.embedded.tree.Trees;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The columns that a definition gives its kind; without any, a kind shows its name and age. */
final class CustomColumns {
    private static final Column NAME = new Column("Name", "string", "name", "", 0);

    private record Printed(String type, Optional<JsonPath> path) {}

    private CustomColumns() {}

    static TableLayout layout(ObjectNode version) {
        List<ObjectNode> wished = objects(version, "additionalPrinterColumns");
        List<Column> columns = new ArrayList<>(List.of(NAME));
        List<Printed> printed = new ArrayList<>();
        for (ObjectNode column : wished) {
            columns.add(new Column(
                    text(column, "name"),
                    text(column, "type"),
                    text(column, "format"),
                    text(column, "description"),
                    (int) number(column, "priority")));
            printed.add(new Printed(text(column, "type"), JsonPath.parse(text(column, "jsonPath"))));
        }
        if (wished.isEmpty()) {
            columns.add(new Column("Age", "date", "", "", 0));
            printed.add(new Printed("date", JsonPath.parse(".metadata.creationTimestamp")));
        }
        return new TableLayout(columns, (object, now) -> cells(object, printed, now));
    }

    private static List<JsonNode> cells(ObjectNode object, List<Printed> columns, Instant now) {
        List<JsonNode> cells = new ArrayList<>();
        cells.add(TextNode.valueOf(Trees.text(object, "metadata", "name")));
        for (Printed column : columns) {
            cells.add(column.path()
                    .flatMap(path -> path.first(object))
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
        return TextNode.valueOf(Ages.since(time, now));
    }
}
