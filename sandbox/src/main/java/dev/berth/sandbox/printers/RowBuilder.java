package dev.berth.sandbox.printers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Builds the cells of one row in the order in which they are added. */
final class RowBuilder {
    static final String NONE = "<none>";

    private final ObjectNode object;
    private final Instant now;
    private final List<JsonNode> cells = new ArrayList<>();

    RowBuilder(ObjectNode object, Instant now) {
        this.object = object;
        this.now = now;
    }

    RowBuilder text(String value) {
        cells.add(TextNode.valueOf(value));
        return this;
    }

    RowBuilder number(long value) {
        cells.add(value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value));
        return this;
    }

    RowBuilder flag(boolean value) {
        cells.add(BooleanNode.valueOf(value));
        return this;
    }

    RowBuilder name() {
        return text(NestedFields.text(object, "metadata", "name"));
    }

    /** Adds the text at the path, even if it is empty. */
    RowBuilder textAt(String... path) {
        return text(NestedFields.text(object, path));
    }

    /** Adds the text at the path, or the fallback if there is no text. */
    RowBuilder textOr(String fallback, String... path) {
        String found = NestedFields.at(object, path).asText();
        return text(found.isEmpty() ? fallback : found);
    }

    RowBuilder numberAt(String... path) {
        return number(NestedFields.number(object, path));
    }

    /** Adds the time since the creation of the object. */
    RowBuilder age() {
        return ageAt("metadata", "creationTimestamp");
    }

    RowBuilder ageAt(String... path) {
        return text(HumanDuration.since(NestedFields.text(object, path), now));
    }

    List<JsonNode> build() {
        return cells;
    }
}
