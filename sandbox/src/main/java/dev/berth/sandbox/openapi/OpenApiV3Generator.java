package dev.berth.sandbox.openapi;

import dev.berth.sandbox.apiextensions.CustomKind;
import dev.berth.sandbox.apiextensions.CustomVersion;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.KindSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the OpenAPI v3 documents. Those of the built-in kinds are generated once, on the first request. */
public final class OpenApiV3Generator {

    private final BuiltInSchemas schemas;
    private volatile List<OpenApiDocument> builtIn = List.of();

    public OpenApiV3Generator(BuiltInSchemas schemas) {
        this.schemas = schemas;
    }

    /** The documents of the built-in kinds and of these, in every version they are served in. */
    public OpenApiCatalog catalog(Collection<CustomKind> customKinds) {
        Map<String, OpenApiDocumentBuilder> documents = new TreeMap<>();
        for (CustomKind kind : customKinds) {
            for (CustomVersion version : kind.versions()) {
                if (version.served()) {
                    CustomKindSchema schema = new CustomKindSchema(kind, version);
                    documents
                            .computeIfAbsent(
                                    schema.gvk().apiVersion(), any -> new OpenApiDocumentBuilder(schemas, schema.gvk()))
                            .addCustom(schema);
                }
            }
        }
        List<OpenApiDocument> all = new ArrayList<>(builtIn());
        documents.values().forEach(document -> all.add(document.build()));
        return new OpenApiCatalog(all);
    }

    /** Two threads may both generate them; the results are equal. */
    private List<OpenApiDocument> builtIn() {
        if (builtIn.isEmpty()) {
            builtIn = generateBuiltIn();
        }
        return builtIn;
    }

    private List<OpenApiDocument> generateBuiltIn() {
        Map<String, OpenApiDocumentBuilder> documents = new TreeMap<>();
        for (KindSchema kind : schemas.kinds()) {
            if (kind.isServed()) {
                documents
                        .computeIfAbsent(
                                kind.gvk().apiVersion(), any -> new OpenApiDocumentBuilder(schemas, kind.gvk()))
                        .addBuiltIn(kind);
            }
        }
        return documents.values().stream().map(OpenApiDocumentBuilder::build).toList();
    }
}
