package dev.berth.embedded.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.schema.KindSchema;
import dev.berth.embedded.schema.StructSchema;
import dev.berth.embedded.schema.Subresource;
import java.util.List;

/** Puts the document of one group and version together. */
final class DocumentBuilder {

    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final List<String> SCALE_VERBS = List.of("get", "patch", "update");

    private final BuiltInSchemas schemas;
    private final String path;
    private final Components components;
    private final ObjectNode paths = JsonNodeFactory.instance.objectNode();

    DocumentBuilder(BuiltInSchemas schemas, GroupVersionKind any) {
        this.schemas = schemas;
        this.path = (any.group().isEmpty() ? "api/" : "apis/") + any.apiVersion();
        this.components = new Components();
        components.addKind(struct(META + "DeleteOptions"), any.withKind("DeleteOptions"));
        components.addKind(struct(META + "Status"), new GroupVersionKind("", "v1", "Status"));
    }

    void addBuiltIn(KindSchema kind) {
        components.addKind(kind.object(), kind.gvk());
        kind.list().ifPresent(list -> components.addKind(list, kind.listGvk()));
        ResourcePaths resource = new ResourcePaths(path, kind.plural(), kind.namespaced(), PatchForms.ALL);
        String list = kind.list().map(StructSchema::name).orElse(kind.object().name());
        resource.add(paths, new Body(kind.gvk(), kind.object().name(), list), kind.verbs());
        for (Subresource sub : kind.subresources()) {
            StructSchema struct = schemas.structOf(sub.gvk()).orElseThrow();
            components.addKind(struct, sub.gvk());
            resource.addSubresource(paths, sub.name(), Body.of(sub.gvk(), struct), sub.verbs());
        }
    }

    void addCustom(CustomSchema custom) {
        components.add(struct(META + "ObjectMeta"));
        components.add(struct(META + "ListMeta"));
        components.put(custom.name(), custom.object());
        components.put(custom.listName(), custom.list());
        ResourcePaths resource =
                new ResourcePaths(path, custom.plural(), custom.namespaced(), PatchForms.WITHOUT_STRATEGIC);
        Body body = new Body(custom.gvk(), custom.name(), custom.listName());
        resource.add(paths, body, List.of("create", "delete", "deletecollection", "get", "list", "patch", "update"));
        if (custom.hasStatus()) {
            resource.addSubresource(paths, "status", body, SCALE_VERBS);
        }
        if (custom.hasScale()) {
            GroupVersionKind scale = GroupVersionKind.of("autoscaling/v1", "Scale");
            StructSchema struct = schemas.structOf(scale).orElseThrow();
            components.addKind(struct, scale);
            resource.addSubresource(paths, "scale", Body.of(scale, struct), SCALE_VERBS);
        }
    }

    OpenApiDocument build() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "v1.36");
        document.set("paths", paths);
        document.putObject("components").set("schemas", components.schemas());
        return new OpenApiDocument(path, document.toString());
    }

    private StructSchema struct(String name) {
        return schemas.struct(name).orElseThrow();
    }

    /** What requests and answers carry: the kind, and the names of the schemas of one object and of a list. */
    record Body(GroupVersionKind gvk, String schema, String listSchema) {

        static Body of(GroupVersionKind gvk, StructSchema struct) {
            return new Body(gvk, struct.name(), struct.name());
        }
    }

    /** Which patches a resource takes. */
    enum PatchForms {
        ALL,
        WITHOUT_STRATEGIC
    }
}
