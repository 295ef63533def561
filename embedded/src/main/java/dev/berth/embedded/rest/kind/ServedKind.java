package dev.berth.embedded.rest.kind;

import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.schema.Offer;
import dev.berth.embedded.schema.ResourceNames;
import dev.berth.embedded.schema.Subresource;
import dev.berth.embedded.store.ResourceId;
import java.util.Optional;

/** One kind in one version as this server serves it. */
public record ServedKind(
        GroupVersionKind gvk,
        String listKind,
        ResourceNames names,
        boolean namespaced,
        Offer offer,
        ResourceId storage,
        KindRules rules) {

    /** The resource as messages call it; its storage may be another group's. */
    public ResourceId resource() {
        return new ResourceId(gvk.group(), names.plural());
    }

    public boolean supports(String verb) {
        return offer.verbs().contains(verb);
    }

    public Optional<Subresource> subresource(String name) {
        for (Subresource each : offer.subresources()) {
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
