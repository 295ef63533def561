package dev.berth.sandbox.apiextensions;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.List;
import java.util.Optional;

/**
 * A kind that a CustomResourceDefinition defines, in the form that the server uses.
 *
 * @param names the names of the kind
 * @param namespaced whether its objects live in namespaces
 * @param versions in the order of the definition; exactly one is the storage version
 */
public record CustomKind(String group, CrdNames names, boolean namespaced, List<CustomVersion> versions) {

    public CustomKind {
        versions = List.copyOf(versions);
    }

    /** Reads a valid definition with defaults. */
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

    /** The storage version. Objects that are created in another version are also pruned and defaulted by this version. */
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
