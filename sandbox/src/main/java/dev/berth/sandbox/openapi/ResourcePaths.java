package dev.berth.sandbox.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.openapi.OpenApiDocumentBuilder.BodySchemas;
import dev.berth.sandbox.openapi.OpenApiDocumentBuilder.PatchTypes;
import java.util.ArrayList;
import java.util.List;

/** The paths of one resource and what may be done there. */
final class ResourcePaths {

    private static final List<String> WRITE_PARAMETERS = List.of("dryRun", "fieldManager", "fieldValidation");
    private static final List<String> LIST_PARAMETERS = List.of(
            "allowWatchBookmarks",
            "continue",
            "fieldSelector",
            "labelSelector",
            "limit",
            "resourceVersion",
            "resourceVersionMatch",
            "sendInitialEvents",
            "timeoutSeconds",
            "watch");
    private static final List<String> DELETE_PARAMETERS =
            List.of("dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy");

    private final String allNamespacesPath;
    private final String collectionPath;
    private final boolean namespaced;
    private final PatchTypes patchForms;

    ResourcePaths(String groupPath, String plural, boolean namespaced, PatchTypes patchTypes) {
        this.allNamespacesPath = "/" + groupPath + "/" + plural;
        this.collectionPath = namespaced ? "/" + groupPath + "/namespaces/{namespace}/" + plural : allNamespacesPath;
        this.namespaced = namespaced;
        this.patchForms = patchTypes;
    }

    void add(ObjectNode paths, BodySchemas bodySchemas, List<String> verbs) {
        if (namespaced && verbs.contains("list")) {
            operation(path(paths, allNamespacesPath), "list", bodySchemas);
        }
        for (String verb : List.of("list", "create", "deletecollection")) {
            addIf(verbs, verb, path(paths, collectionPath), bodySchemas);
        }
        for (String verb : List.of("get", "update", "patch", "delete")) {
            addIf(verbs, verb, path(paths, collectionPath + "/{name}"), bodySchemas);
        }
    }

    void addSubresource(ObjectNode paths, String name, BodySchemas bodySchemas, List<String> verbs) {
        ObjectNode path = path(paths, collectionPath + "/{name}/" + name);
        for (String verb : List.of("get", "create", "update", "patch")) {
            addIf(verbs, verb, path, bodySchemas);
        }
    }

    private void addIf(List<String> verbs, String verb, ObjectNode path, BodySchemas bodySchemas) {
        if (verbs.contains(verb)) {
            operation(path, verb, bodySchemas);
        }
    }

    private void operation(ObjectNode path, String verb, BodySchemas bodySchemas) {
        ObjectNode operation = path.putObject(method(verb));
        operation.put("x-kubernetes-action", action(verb));
        gvk(operation, bodySchemas);
        ArrayNode parameters = operation.putArray("parameters");
        for (String name : parameters(verb)) {
            parameters
                    .addObject()
                    .put("name", name)
                    .put("in", "query")
                    .putObject("schema")
                    .put("type", "string");
        }
        requestBody(operation, verb, bodySchemas);
        ObjectNode answer = operation.putObject("responses").putObject("200");
        answer.put("description", "OK");
        String schema = verb.equals("list") ? bodySchemas.listSchema() : bodySchemas.schema();
        reference(answer.putObject("content"), "application/json", schema);
    }

    private void requestBody(ObjectNode operation, String verb, BodySchemas bodySchemas) {
        switch (verb) {
            case "create", "update" -> reference(content(operation), "*/*", bodySchemas.schema());
            case "patch" -> {
                ObjectNode content = content(operation);
                for (String type : patchTypes()) {
                    content.putObject(type).putObject("schema").put("type", "object");
                }
            }
            default -> {
                // No body, or optional DeleteOptions.
            }
        }
    }

    private List<String> patchTypes() {
        List<String> types = new ArrayList<>(List.of("application/json-patch+json", "application/merge-patch+json"));
        switch (patchForms) {
            case ALL -> types.add("application/strategic-merge-patch+json");
            case WITHOUT_STRATEGIC -> {
                // As in the real server: it knows no merge keys of custom kinds.
            }
        }
        return types;
    }

    private static ObjectNode content(ObjectNode operation) {
        ObjectNode requestBody = operation.putObject("requestBody");
        requestBody.put("required", true);
        return requestBody.putObject("content");
    }

    private static void reference(ObjectNode content, String type, String schema) {
        content.putObject(type).putObject("schema").put("$ref", OpenApiComponents.reference(schema));
    }

    private static void gvk(ObjectNode operation, BodySchemas bodySchemas) {
        OpenApiComponents.write(bodySchemas.gvk(), operation.putObject(OpenApiComponents.GVK));
    }

    private static ObjectNode path(ObjectNode paths, String path) {
        return paths.withObjectProperty(path);
    }

    private static String method(String verb) {
        return switch (verb) {
            case "create" -> "post";
            case "update" -> "put";
            case "patch" -> "patch";
            case "delete", "deletecollection" -> "delete";
            default -> "get";
        };
    }

    private static String action(String verb) {
        return switch (verb) {
            case "create" -> "post";
            case "update" -> "put";
            default -> verb;
        };
    }

    private static List<String> parameters(String verb) {
        return switch (verb) {
            case "create", "update" -> WRITE_PARAMETERS;
            case "patch" -> List.of("dryRun", "fieldManager", "fieldValidation", "force");
            case "list" -> LIST_PARAMETERS;
            case "delete", "deletecollection" -> DELETE_PARAMETERS;
            default -> List.of();
        };
    }
}
