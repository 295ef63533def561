package dev.berth.kubernetes.effects;

import dev.berth.kubernetes.json.Tree;

/**
 * A write of one object as the API server takes it.
 *
 * @param path of the object, or of its kind for a POST, such as {@code /apis/berth.dev/v1alpha1/holds}
 */
public record ObjectRequest(String method, String path, String contentType, Tree body) {
    private static final String JSON = "application/json";

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

    /** Deletes the object of this UID and no other of its name. */
    public static ObjectRequest delete(String path, String uid) {
        Tree options = Tree.EMPTY.with("DeleteOptions", "kind").with("v1", "apiVersion");
        Tree sure = uid.isEmpty() ? options : options.with(uid, "preconditions", "uid");
        return new ObjectRequest("DELETE", path, JSON, sure);
    }
}
