package dev.berth.sandbox.apiextensions;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.List;
import java.util.Optional;

/**
 * A kind that a CustomResourceDefinition defines, ready to serve objects.
 *
 * @param names what clients call it
 * @param namespaced whether its objects live in namespaces
 * @param versions in the order of the definition; exactly one is the storage version
 */
public record CustomKind(String group, CrdNames names, boolean namespaced, List<CustomVersion> versions) {

    public CustomKind {
        versions = List.copyOf(versions);
    }

    /** Reads a definition that was defaulted and found valid. */
    public static CustomKind from(ObjectNode crd) {
        List<CustomVersion> versions = NestedFields.objects(crd, "spec", "versions").stream()
                .map(version -> CustomVersion.from(version, crd))
                .toList();
        return new CustomKind(
                NestedFields.text(crd, "spec", "group"),
                CrdNames.from(NestedFields.at(crd, "spec", "names")),
                NestedFields.text(crd, "spec", "scope").equals("Namespaced"),
                versions);
    }

    /** The version objects are kept in: one created through another is pruned and defaulted by this one too. */
    public CustomVersion storageVersion() {
        return versions.stream()
                .filter(CustomVersion::storage)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "kind (%s) of group (%s) has no storage version".formatted(names.kind(), group)));
    }

    /** The version of that name, served or not. */
    public Optional<CustomVersion> version(String name) {
        return versions.stream().filter(version -> version.name().equals(name)).findFirst();
    }
}
