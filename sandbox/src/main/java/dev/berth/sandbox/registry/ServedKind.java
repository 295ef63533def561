package dev.berth.sandbox.registry;

import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.ResourceCapabilities;
import dev.berth.sandbox.schema.ResourceNames;
import dev.berth.sandbox.schema.Subresource;
import dev.berth.sandbox.storage.GroupResource;
import java.util.Optional;

/** One kind in one version as this server serves it. */
public record ServedKind(
        GroupVersionKind gvk,
        String listKind,
        ResourceNames names,
        boolean namespaced,
        ResourceCapabilities capabilities,
        GroupResource storage,
        RestStrategy strategy) {

    /** The resource as messages call it; its storage may be another group's. */
    public GroupResource groupResource() {
        return new GroupResource(gvk.group(), names.plural());
    }

    public boolean supports(String verb) {
        return capabilities.verbs().contains(verb);
    }

    public Optional<Subresource> subresource(String name) {
        for (Subresource each : capabilities.subresources()) {
            if (each.name().equals(name)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return gvk.toString();
    }
}
