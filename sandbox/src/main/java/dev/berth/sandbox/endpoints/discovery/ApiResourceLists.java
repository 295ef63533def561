package dev.berth.sandbox.endpoints.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.ResourceNames;
import dev.berth.sandbox.schema.Subresource;
import java.util.Comparator;
import java.util.List;

/** Writes the resources of one version in both forms of discovery. */
final class ApiResourceLists {

    private static final Comparator<ServedKind> BY_NAME =
            Comparator.comparing(kind -> kind.names().plural());

    private ApiResourceLists() {}

    /** The resources of a version as an APIResourceList. */
    static ObjectNode list(String groupVersion, List<ServedKind> kinds) {
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        list.put("kind", "APIResourceList");
        if (groupVersion.contains("/")) {
            list.put("apiVersion", "v1");
        }
        list.put("groupVersion", groupVersion);
        ArrayNode resources = list.putArray("resources");
        kinds.stream().sorted(BY_NAME).forEach(kind -> addTo(resources, kind));
        return list;
    }

    private static void addTo(ArrayNode resources, ServedKind kind) {
        ResourceNames names = kind.names();
        ObjectNode resource = resources.addObject();
        resource.put("name", names.plural()).put("singularName", names.singular());
        resource.put("namespaced", kind.namespaced()).put("kind", kind.gvk().kind());
        texts(resource, "verbs", kind.capabilities().verbs());
        texts(resource, "shortNames", names.shortNames());
        texts(resource, "categories", names.categories());
        for (Subresource each : kind.capabilities().subresources()) {
            ObjectNode sub = resources.addObject();
            sub.put("name", names.plural() + "/" + each.name()).put("singularName", "");
            sub.put("namespaced", kind.namespaced());
            GroupVersionKind gvk = each.gvk();
            if (!gvk.apiVersion().equals(kind.gvk().apiVersion())) {
                sub.put("group", gvk.group()).put("version", gvk.version());
            }
            sub.put("kind", gvk.kind());
            texts(sub, "verbs", each.verbs());
        }
    }

    /** The resources of a version for aggregated discovery. */
    static ObjectNode version(String version, List<ServedKind> kinds) {
        ObjectNode resourceList = JsonNodeFactory.instance.objectNode();
        resourceList.put("version", version);
        ArrayNode resources = resourceList.putArray("resources");
        kinds.stream().sorted(BY_NAME).forEach(kind -> resources.add(aggregated(kind)));
        return resourceList.put("freshness", "Current");
    }

    private static ObjectNode aggregated(ServedKind kind) {
        ResourceNames names = kind.names();
        ObjectNode resource = JsonNodeFactory.instance.objectNode();
        resource.put("resource", names.plural());
        resource.set("responseKind", responseKind(kind.gvk()));
        resource.put("scope", kind.namespaced() ? "Namespaced" : "Cluster");
        resource.put("singularResource", names.singular());
        texts(resource, "verbs", kind.capabilities().verbs());
        texts(resource, "shortNames", names.shortNames());
        texts(resource, "categories", names.categories());
        if (!kind.capabilities().subresources().isEmpty()) {
            ArrayNode subresources = resource.putArray("subresources");
            for (Subresource each : kind.capabilities().subresources()) {
                ObjectNode sub = subresources.addObject();
                sub.put("subresource", each.name());
                sub.set("responseKind", responseKind(each.gvk()));
                texts(sub, "verbs", each.verbs());
            }
        }
        return resource;
    }

    private static ObjectNode responseKind(GroupVersionKind gvk) {
        ObjectNode kind = JsonNodeFactory.instance.objectNode();
        return kind.put("group", gvk.group()).put("version", gvk.version()).put("kind", gvk.kind());
    }

    private static void texts(ObjectNode parent, String field, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(parent.putArray(field)::add);
        }
    }
}
