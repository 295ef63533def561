package dev.berth.sandbox.endpoints.discovery;

import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.openapi.OpenApiCatalog;
import dev.berth.sandbox.openapi.OpenApiV2;
import dev.berth.sandbox.openapi.OpenApiV3Generator;
import dev.berth.sandbox.registry.ServedKinds;
import dev.berth.sandbox.schema.BuiltInSchemas;
import java.util.Optional;

/** Serves the OpenAPI documents. */
public final class OpenApiHandler {

    private static final String V3 = "/openapi/v3";

    private final OpenApiV3Generator documents;
    private volatile CachedDocuments cached;

    private record CachedDocuments(ServedKinds catalog, Optional<OpenApiCatalog> documents) {}

    public OpenApiHandler(BuiltInSchemas schemas, ServedKinds first) {
        this.documents = new OpenApiV3Generator(schemas);
        this.cached = new CachedDocuments(first, Optional.empty());
    }

    /** The response, if the path is one of these. */
    public Optional<BodyResponse> handle(ServedKinds servedKinds, RestRequest request) {
        String path = request.path();
        if (!request.method().equals("GET")) {
            return Optional.empty();
        }
        if (path.equals("/openapi/v2")) {
            return Optional.of(
                    request.header("accept").contains("protobuf")
                            ? BodyResponse.bytes(200, OpenApiV2.PROTOBUF_MEDIA_TYPE, OpenApiV2.protobuf())
                            : BodyResponse.bytes(200, "application/json", OpenApiV2.json()));
        }
        if (path.equals(V3)) {
            return Optional.of(BodyResponse.bytes(
                    200, "application/json", documentsFor(servedKinds).index()));
        }
        return path.startsWith(V3 + "/")
                ? documentsFor(servedKinds)
                        .document(path.substring(V3.length() + 1))
                        .map(document -> BodyResponse.bytes(200, "application/json", document.json()))
                : Optional.empty();
    }

    /** The documents are generated on the first request after the kinds have changed. */
    private OpenApiCatalog documentsFor(ServedKinds servedKinds) {
        CachedDocuments present = cached;
        if (present.catalog() == servedKinds && present.documents().isPresent()) {
            return present.documents().get();
        }
        OpenApiCatalog fresh = documents.catalog(servedKinds.customKinds());
        cached = new CachedDocuments(servedKinds, Optional.of(fresh));
        return fresh;
    }
}
