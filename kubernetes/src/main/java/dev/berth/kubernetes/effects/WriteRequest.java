package dev.berth.kubernetes.effects;

import dev.berth.kubernetes.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The request of a write of one object.
 *
 * @param path of the object, or of its collection for a POST, such as {@code /apis/berth.dev/v1alpha1/storedholds}
 */
public record WriteRequest(String method, String path, String contentType, JsonObject body) {
    private static final String JSON = "application/json";
    private static final String NAMESPACES = "namespaces";

    public static WriteRequest create(String path, JsonObject object) {
        return new WriteRequest("POST", path, JSON, object);
    }

    /** Changes the fields of the patch; a uid or resourceVersion in its metadata is a precondition. */
    public static WriteRequest mergePatch(String path, JsonObject patch) {
        return new WriteRequest("PATCH", path, "application/merge-patch+json", patch);
    }

    /** The same for built-in kinds of Kubernetes, whose lists are merged by the keys of their elements. */
    public static WriteRequest strategicMergePatch(String path, JsonObject patch) {
        return new WriteRequest("PATCH", path, "application/strategic-merge-patch+json", patch);
    }

    /** The verb and the resource as roles name them, such as {@code patch reservations.scheduling.koordinator.sh/status}. */
    String verbAndResource() {
        String verb = switch (method) {
            case "POST" -> "create";
            case "PUT" -> "update";
            default -> method.toLowerCase(Locale.ROOT);
        };
        List<String> parts = new ArrayList<>(List.of(path.substring(1).split("/", -1)));
        boolean core = parts.get(0).equals("api");
        String group = core ? "" : "." + parts.get(1);
        List<String> rest = parts.subList(core ? 2 : 3, parts.size());
        boolean namespaced = rest.size() > 2 && rest.get(0).equals(NAMESPACES);
        List<String> resourceParts = namespaced ? rest.subList(2, rest.size()) : rest;
        String subresource = resourceParts.size() > 2 ? "/" + resourceParts.get(2) : "";
        return "%s %s%s%s".formatted(verb, resourceParts.get(0), group, subresource);
    }

    /** Deletes the object with this UID, and no other object of its name. */
    public static WriteRequest delete(String path, String uid) {
        JsonObject options = JsonObject.EMPTY.with("DeleteOptions", "kind").with("v1", "apiVersion");
        JsonObject preconditioned = uid.isEmpty() ? options : options.with(uid, "preconditions", "uid");
        return new WriteRequest("DELETE", path, JSON, preconditioned);
    }
}
