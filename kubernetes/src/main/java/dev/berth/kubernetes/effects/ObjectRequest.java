package dev.berth.kubernetes.effects;

import dev.berth.kubernetes.json.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A write of one object as the API server takes it.
 *
 * @param path of the object, or of its kind for a POST, such as {@code /apis/berth.dev/v1alpha1/holds}
 */
public record ObjectRequest(String method, String path, String contentType, Tree body) {
    private static final String JSON = "application/json";
    private static final String NAMESPACES = "namespaces";

    public static ObjectRequest create(String path, Tree object) {
        return new ObjectRequest("POST", path, JSON, object);
    }

    /** Changes what the patch names; a uid or resourceVersion in its metadata is a precondition. */
    public static ObjectRequest merge(String path, Tree patch) {
        return new ObjectRequest("PATCH", path, "application/merge-patch+json", patch);
    }

    /** The same for kinds of Kubernetes' own, whose lists are merged by what identifies their elements. */
    public static ObjectRequest strategicMerge(String path, Tree patch) {
        return new ObjectRequest("PATCH", path, "application/strategic-merge-patch+json", patch);
    }

    /** The verb and the resource as roles name them, such as {@code patch reservations.scheduling.koordinator.sh/status}. */
    String words() {
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
        List<String> named = namespaced ? rest.subList(2, rest.size()) : rest;
        String subresource = named.size() > 2 ? "/" + named.get(2) : "";
        return "%s %s%s%s".formatted(verb, named.get(0), group, subresource);
    }

    /** Deletes the object of this UID and no other of its name. */
    public static ObjectRequest delete(String path, String uid) {
        Tree options = Tree.EMPTY.with("DeleteOptions", "kind").with("v1", "apiVersion");
        Tree sure = uid.isEmpty() ? options : options.with(uid, "preconditions", "uid");
        return new ObjectRequest("DELETE", path, JSON, sure);
    }
}
