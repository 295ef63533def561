package dev.berth.embedded.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.embedded.tree.Trees;
import java.time.Instant;
import java.util.List;

/** The layouts of the built-in kinds; a kind without columns of its own shows its name and when it was created. */
public final class Tables {
    private static final TableLayout PLAIN = new TableLayout(
            List.of(Column.of("Name").formatted("name"), Column.of("Created At").typed("date")), Tables::plain);

    private Tables() {}

    /** The layout of the kind. */
    public static TableLayout layout(String group, String kind) {
        return PLAIN;
    }

    /** The Table of objects of one built-in kind, each row with its object's metadata. */
    public static ObjectNode of(String group, String kind, List<ObjectNode> objects, Instant now) {
        return layout(group, kind).table(objects, IncludeObject.METADATA, now);
    }

    private static List<JsonNode> plain(ObjectNode object, Instant now) {
        return List.of(
                TextNode.valueOf(Trees.text(object, "metadata", "name")),
                TextNode.valueOf(Trees.text(object, "metadata", "creationTimestamp")));
    }
}
