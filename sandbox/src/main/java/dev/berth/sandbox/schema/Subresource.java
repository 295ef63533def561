package dev.berth.sandbox.schema;

import java.util.List;

/** A subresource, for example {@code status}; its body may have another kind. */
public record Subresource(String name, GroupVersionKind gvk, List<String> verbs) {

    public Subresource {
        verbs = List.copyOf(verbs);
    }
}
