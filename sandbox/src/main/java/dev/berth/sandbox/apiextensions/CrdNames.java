package dev.berth.sandbox.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.List;

/** The names of a kind: plural, singular, short names, kind and list kind. */
public record CrdNames(
        String plural,
        String singular,
        String kind,
        String listKind,
        List<String> shortNames,
        List<String> categories) {

    public CrdNames {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
    }

    static CrdNames from(JsonNode names) {
        return new CrdNames(
                NestedFields.text(names, "plural"),
                NestedFields.text(names, "singular"),
                NestedFields.text(names, "kind"),
                NestedFields.text(names, "listKind"),
                NestedFields.texts(names, "shortNames"),
                NestedFields.texts(names, "categories"));
    }
}
