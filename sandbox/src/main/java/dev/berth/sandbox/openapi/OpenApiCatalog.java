package dev.berth.sandbox.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All documents at one moment, and the index of them. */
public final class OpenApiCatalog {

    private final Map<String, OpenApiDocument> byPath = new TreeMap<>();
    private final byte[] index;

    OpenApiCatalog(Collection<OpenApiDocument> documents) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = root.putObject("paths");
        documents.forEach(document -> byPath.put(document.path(), document));
        byPath.values()
                .forEach(document -> paths.putObject(document.path()).put("serverRelativeURL", document.relativeUrl()));
        index = root.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The body of {@code /openapi/v3}, of type {@code application/json}. Shared: do not write to it. */
    public byte[] index() {
        return index;
    }

    /** The document below {@code /openapi/v3/}, such as {@code apis/apps/v1}. */
    public Optional<OpenApiDocument> document(String path) {
        return Optional.ofNullable(byPath.get(path));
    }
}
