package dev.berth.embedded.openapi;

import dev.berth.embedded.crd.CustomKind;
import dev.berth.embedded.crd.CustomVersion;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.schema.KindSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the OpenAPI v3 documents. Those of the built-in kinds are made once, when they are first asked for: few runs need them. */
public final class OpenApiV3 {

    private final BuiltInSchemas schemas;
    private volatile List<OpenApiDocument> builtIn = List.of();

    public OpenApiV3(BuiltInSchemas schemas) {
        this.schemas = schemas;
    }

    /** The documents of the built-in kinds and of these, in every version they are served in. */
    public OpenApiCatalog catalog(Collection<CustomKind> customKinds) {
        Map<String, DocumentBuilder> documents = new TreeMap<>();
        for (CustomKind kind : customKinds) {
            for (CustomVersion version : kind.versions()) {
                if (version.served()) {
                    CustomSchema schema = new CustomSchema(kind, version);
                    documents
                            .computeIfAbsent(
                                    schema.gvk().apiVersion(), any -> new DocumentBuilder(schemas, schema.gvk()))
                            .addCustom(schema);
                }
            }
        }
        List<OpenApiDocument> all = new ArrayList<>(builtIn());
        documents.values().forEach(document -> all.add(document.build()));
        return new OpenApiCatalog(all);
    }

    /** Two threads that ask first both make them, and they are equal. */
    private List<OpenApiDocument> builtIn() {
        if (builtIn.isEmpty()) {
            builtIn = makeBuiltIn();
        }
        return builtIn;
    }

    private List<OpenApiDocument> makeBuiltIn() {
        Map<String, DocumentBuilder> documents = new TreeMap<>();
        for (KindSchema kind : schemas.kinds()) {
            if (kind.served()) {
                documents
                        .computeIfAbsent(kind.gvk().apiVersion(), any -> new DocumentBuilder(schemas, kind.gvk()))
                        .addBuiltIn(kind);
            }
        }
        return documents.values().stream().map(DocumentBuilder::build).toList();
    }
}
