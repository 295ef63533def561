package dev.berth.sandbox.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.KindSchema;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.Subresource;
import java.util.List;

/** Builds the document of one group and version. */
final class OpenApiDocumentBuilder {

    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final List<String> SCALE_VERBS = List.of("get", "patch", "update");

    private final BuiltInSchemas schemas;
    private final String path;
    private final OpenApiComponents components;
    private final ObjectNode paths = JsonNodeFactory.instance.objectNode();

    OpenApiDocumentBuilder(BuiltInSchemas schemas, GroupVersionKind any) {
        this.schemas = schemas;
        this.path = (any.group().isEmpty() ? "api/" : "apis/") + any.apiVersion();
        this.components = new OpenApiComponents();
        components.addKind(struct(META + "DeleteOptions"), any.withKind("DeleteOptions"));
        components.addKind(struct(META + "Status"), new GroupVersionKind("", "v1", "Status"));
    }

    void addBuiltIn(KindSchema kind) {
        components.addKind(kind.object(), kind.gvk());
        kind.list().ifPresent(list -> components.addKind(list, kind.listGvk()));
        ResourcePaths resource = new ResourcePaths(path, kind.plural(), kind.namespaced(), PatchTypes.ALL);
        String list = kind.list().map(StructSchema::name).orElse(kind.object().name());
        resource.add(paths, new BodySchemas(kind.gvk(), kind.object().name(), list), kind.verbs());
        for (Subresource sub : kind.subresources()) {
            StructSchema struct = schemas.structOf(sub.gvk()).orElseThrow();
            components.addKind(struct, sub.gvk());
            resource.addSubresource(paths, sub.name(), BodySchemas.of(sub.gvk(), struct), sub.verbs());
        }
    }

    void addCustom(CustomKindSchema custom) {
        components.add(struct(META + "ObjectMeta"));
        components.add(struct(META + "ListMeta"));
        components.put(custom.name(), custom.object());
        components.put(custom.listName(), custom.list());
        ResourcePaths resource =
                new ResourcePaths(path, custom.plural(), custom.namespaced(), PatchTypes.WITHOUT_STRATEGIC);
        BodySchemas bodySchemas = new BodySchemas(custom.gvk(), custom.name(), custom.listName());
        resource.add(
                paths, bodySchemas, List.of("create", "delete", "deletecollection", "get", "list", "patch", "update"));
        if (custom.hasStatus()) {
            resource.addSubresource(paths, "status", bodySchemas, SCALE_VERBS);
        }
        if (custom.hasScale()) {
            GroupVersionKind scale = GroupVersionKind.of("autoscaling/v1", "Scale");
            StructSchema struct = schemas.structOf(scale).orElseThrow();
            components.addKind(struct, scale);
            resource.addSubresource(paths, "scale", BodySchemas.of(scale, struct), SCALE_VERBS);
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
    record BodySchemas(GroupVersionKind gvk, String schema, String listSchema) {

        static BodySchemas of(GroupVersionKind gvk, StructSchema struct) {
            return new BodySchemas(gvk, struct.name(), struct.name());
        }
    }

    /** Which patches a resource takes. */
    enum PatchTypes {
        ALL,
        WITHOUT_STRATEGIC
    }
}
