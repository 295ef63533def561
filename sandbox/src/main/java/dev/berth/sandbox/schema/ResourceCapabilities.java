package dev.berth.sandbox.schema;

import java.util.List;

/** Whether this server serves a kind, and its verbs and subresources. */
public record ResourceCapabilities(boolean served, List<String> verbs, List<Subresource> subresources) {

    public ResourceCapabilities {
        verbs = List.copyOf(verbs);
        subresources = List.copyOf(subresources);
    }
}
