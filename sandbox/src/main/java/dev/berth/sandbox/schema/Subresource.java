package dev.berth.sandbox.schema;

import java.util.List;

/** A subresource, for example {@code status}. The kind of its body can differ from that of the resource. */
public record Subresource(String name, GroupVersionKind gvk, List<String> verbs) {

    public Subresource {
        verbs = List.copyOf(verbs);
    }
}
