package dev.berth.embedded.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.embedded.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The cells of one row, in the order in which they are added. */
final class Cells {
    static final String NONE = "<none>";

    private final ObjectNode object;
    private final Instant now;
    private final List<JsonNode> cells = new ArrayList<>();

    Cells(ObjectNode object, Instant now) {
        this.object = object;
        this.now = now;
    }

    Cells text(String value) {
        cells.add(TextNode.valueOf(value));
        return this;
    }

    Cells number(long value) {
        cells.add(value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value));
        return this;
    }

    Cells flag(boolean value) {
        cells.add(BooleanNode.valueOf(value));
        return this;
    }

    Cells name() {
        return text(Trees.text(object, "metadata", "name"));
    }

    /** The text at the path, also where it is empty. */
    Cells textAt(String... path) {
        return text(Trees.text(object, path));
    }

    /** The text at the path, or the given one where there is none. */
    Cells textOr(String otherwise, String... path) {
        String found = Trees.at(object, path).asText();
        return text(found.isEmpty() ? otherwise : found);
    }

    Cells numberAt(String... path) {
        return number(Trees.number(object, path));
    }

    /** How long ago the object was created. */
    Cells age() {
        return ageAt("metadata", "creationTimestamp");
    }

    Cells ageAt(String... path) {
        return text(Ages.since(Trees.text(object, path), now));
    }

    List<JsonNode> list() {
        return cells;
    }
}
