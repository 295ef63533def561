package dev.berth.sandbox.schema;

import java.util.List;

/** Something below an object's path, such as {@code status}; its bodies may be of another kind. */
public record Subresource(String name, GroupVersionKind gvk, List<String> verbs) {

    public Subresource {
        verbs = List.copyOf(verbs);
    }
}
