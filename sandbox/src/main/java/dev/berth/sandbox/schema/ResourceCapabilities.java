package dev.berth.sandbox.schema;

import java.util.List;

/** What may be done with a kind: whether this server serves it at all, and with which verbs and subresources. */
public record ResourceCapabilities(boolean served, List<String> verbs, List<Subresource> subresources) {

    public ResourceCapabilities {
        verbs = List.copyOf(verbs);
        subresources = List.copyOf(subresources);
    }
}
