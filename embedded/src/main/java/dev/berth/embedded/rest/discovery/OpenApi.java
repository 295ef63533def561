package dev.berth.embedded.rest.discovery;

import dev.berth.embedded.openapi.OpenApiCatalog;
import dev.berth.embedded.openapi.OpenApiV2;
import dev.berth.embedded.openapi.OpenApiV3;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.kind.Catalog;
import dev.berth.embedded.schema.BuiltInSchemas;
import java.util.Optional;

/** Answers the paths by which clients learn the fields of kinds. */
public final class OpenApi {

    private static final String V3 = "/openapi/v3";

    private final OpenApiV3 documents;
    private volatile Made made;

    private record Made(Catalog of, Optional<OpenApiCatalog> documents) {}

    public OpenApi(BuiltInSchemas schemas, Catalog first) {
        this.documents = new OpenApiV3(schemas);
        this.made = new Made(first, Optional.empty());
    }

    /** The answer, where the path is one of these. */
    public Optional<Answer> handle(Catalog catalog, Request request) {
        String path = request.path();
        if (!request.method().equals("GET")) {
            return Optional.empty();
        }
        if (path.equals("/openapi/v2")) {
            return Optional.of(
                    request.header("accept").contains("protobuf")
                            ? Answer.bytes(200, OpenApiV2.PROTOBUF_MEDIA_TYPE, OpenApiV2.protobuf())
                            : Answer.bytes(200, "application/json", OpenApiV2.json()));
        }
        if (path.equals(V3)) {
            return Optional.of(Answer.bytes(200, "application/json", of(catalog).index()));
        }
        return path.startsWith(V3 + "/")
                ? of(catalog)
                        .document(path.substring(V3.length() + 1))
                        .map(document -> Answer.bytes(200, "application/json", document.json()))
                : Optional.empty();
    }

    /** The documents are made when first asked for after the kinds have changed. */
    private OpenApiCatalog of(Catalog catalog) {
        Made present = made;
        if (present.of() == catalog && present.documents().isPresent()) {
            return present.documents().get();
        }
        OpenApiCatalog fresh = documents.catalog(catalog.customKinds());
        made = new Made(catalog, Optional.of(fresh));
        return fresh;
    }
}
