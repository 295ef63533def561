package dev.berth.embedded.crd;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.tree.Trees;
import java.util.List;

/** The names by which clients know a kind. */
public record KindNames(
        String plural,
        String singular,
        String kind,
        String listKind,
        List<String> shortNames,
        List<String> categories) {

    public KindNames {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
    }

    static KindNames from(JsonNode names) {
        return new KindNames(
                Trees.text(names, "plural"),
                Trees.text(names, "singular"),
                Trees.text(names, "kind"),
                Trees.text(names, "listKind"),
                Trees.texts(names, "shortNames"),
                Trees.texts(names, "categories"));
    }
}
