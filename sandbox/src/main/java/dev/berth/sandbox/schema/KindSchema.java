package dev.berth.sandbox.schema;

import java.util.List;
import java.util.Optional;

/** A built-in kind: its names, its verbs, and the structs of an object and of a list. */
public record KindSchema(
        GroupVersionKind gvk,
        ResourceNames names,
        boolean namespaced,
        ResourceCapabilities capabilities,
        StructSchema object,
        Optional<StructSchema> list) {

    public String group() {
        return gvk.group();
    }

    public String version() {
        return gvk.version();
    }

    public String kind() {
        return gvk.kind();
    }

    /** The kind of the list, for example {@code PodList}. */
    public GroupVersionKind listGvk() {
        return gvk.withKind(gvk.kind() + "List");
    }

    public String plural() {
        return names.plural();
    }

    /** Whether the kind has a resource path. {@code Scale} has none. */
    public boolean isResource() {
        return !names.plural().isEmpty();
    }

    public GroupVersionResource gvr() {
        return new GroupVersionResource(gvk.group(), gvk.version(), names.plural());
    }

    public boolean isServed() {
        return capabilities.served();
    }

    public List<String> verbs() {
        return capabilities.verbs();
    }

    public List<Subresource> subresources() {
        return capabilities.subresources();
    }

    public Optional<Subresource> subresource(String name) {
        return capabilities.subresources().stream()
                .filter(s -> s.name().equals(name))
                .findFirst();
    }

    @Override
    public String toString() {
        return gvk.toString();
    }
}
