package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An entry of {@code metadata.ownerReferences}: the owner of an object, by UID. */
public record OwnerReference(
        String apiVersion, String kind, String name, String uid, boolean controller, boolean blockOwnerDeletion) {

    public OwnerReference {
        if (uid.isEmpty() || name.isEmpty() || kind.isEmpty() || apiVersion.isEmpty()) {
            throw new IllegalArgumentException(
                    "an owner reference needs apiVersion, kind, name and uid, but got (%s, %s, %s, %s)"
                            .formatted(apiVersion, kind, name, uid));
        }
    }

    /** The reference to {@code owner} as the controller. */
    public static OwnerReference controllerReference(ObjectNode owner) {
        return new OwnerReference(
                NestedFields.text(owner, "apiVersion"),
                NestedFields.text(owner, "kind"),
                ObjectMetaReader.name(owner),
                ObjectMetaReader.uid(owner),
                true,
                true);
    }

    static OwnerReference of(JsonNode node) {
        return new OwnerReference(
                NestedFields.text(node, "apiVersion"),
                NestedFields.text(node, "kind"),
                NestedFields.text(node, "name"),
                NestedFields.text(node, "uid"),
                NestedFields.flag(node, "controller"),
                NestedFields.flag(node, "blockOwnerDeletion"));
    }

    /** The group part of the API version; empty for the core group. */
    public String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    public ObjectNode toJson() {
        ObjectNode node = NestedFields.newObject();
        node.put("apiVersion", apiVersion).put("kind", kind).put("name", name).put("uid", uid);
        if (controller) {
            node.put("controller", true);
        }
        if (blockOwnerDeletion) {
            node.put("blockOwnerDeletion", true);
        }
        return node;
    }
}
