package dev.berth.sandbox.apierrors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.InvalidStatus;
import java.time.Duration;
import java.util.List;

/** The Status objects of errors, with the codes, reasons and messages of the real API server. */
public record ApiStatus(int code, ObjectNode tree) {

    /** The message of a write that was based on an old version. */
    public static final String CONFLICT_MESSAGE =
            "the object has been modified; please apply your changes to the latest version and try again";

    /** The message, for logs and tests. */
    public String message() {
        return tree.path("message").asText();
    }

    public String reason() {
        return tree.path("reason").asText();
    }

    public static ApiStatus notFound(GroupResource resource, String name) {
        return forObject(404, "NotFound", resource, name, resource.qualifiedName() + " " + quote(name) + " not found");
    }

    /** The error of a path that no resource has. */
    public static ApiStatus noSuchResource() {
        ApiStatus status = plain(404, "NotFound", "the server could not find the requested resource");
        status.tree.putObject("details");
        return status;
    }

    public static ApiStatus alreadyExists(GroupResource resource, String name) {
        return forObject(
                409, "AlreadyExists", resource, name, resource.qualifiedName() + " " + quote(name) + " already exists");
    }

    /** The error when every generated name is in use. */
    public static ApiStatus generatedNameTaken(GroupResource resource, String name) {
        String message = resource.qualifiedName() + " " + quote(name)
                + " already exists, the server was not able to generate a unique name for the object";
        return forObject(409, "AlreadyExists", resource, name, message).withRetryAfter(Duration.ofSeconds(1));
    }

    public static ApiStatus conflict(GroupResource resource, String name, String reasonText) {
        String message =
                "Operation cannot be fulfilled on " + resource.qualifiedName() + " " + quote(name) + ": " + reasonText;
        return forObject(409, "Conflict", resource, name, message);
    }

    public static ApiStatus forbidden(GroupResource resource, String name, String reasonText) {
        String named = name.isEmpty() ? resource.qualifiedName() : resource.qualifiedName() + " " + quote(name);
        return forObject(403, "Forbidden", resource, name, named + " is forbidden: " + reasonText);
    }

    public static ApiStatus expired(String message) {
        return plain(410, "Expired", message);
    }

    public static ApiStatus badRequest(String message) {
        return plain(400, "BadRequest", message);
    }

    public static ApiStatus unauthorized() {
        return plain(401, "Unauthorized", "Unauthorized");
    }

    public static ApiStatus methodNotAllowed() {
        ApiStatus status =
                plain(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
        status.tree.putObject("details");
        return status;
    }

    public static ApiStatus notAcceptable(List<String> offered) {
        return plain(
                406, "NotAcceptable", "only the following media types are accepted: " + String.join(", ", offered));
    }

    public static ApiStatus tooLarge(long limit) {
        return plain(413, "RequestEntityTooLarge", "Request entity too large: limit is " + limit);
    }

    public static ApiStatus unsupportedMediaType(List<String> offered) {
        return plain(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: "
                        + String.join(", ", offered));
    }

    /** Something is wrong with the object of that group, kind and name; there is at least one error. */
    public static ApiStatus invalid(String group, String kind, String name, List<FieldError> errors) {
        return new ApiStatus(422, InvalidStatus.of(group, kind, name, errors));
    }

    public static ApiStatus unprocessable(String message) {
        return plain(422, "Invalid", message);
    }

    public static ApiStatus tooManyRequests(String message, Duration retryAfter) {
        ApiStatus status = plain(429, "TooManyRequests", message);
        return retryAfter.isZero() ? status : status.withRetryAfter(retryAfter);
    }

    /** An internal error with a message, without a stack trace. */
    public static ApiStatus internal(String reasonText) {
        ApiStatus status = plain(500, "InternalError", "Internal error occurred: " + reasonText);
        status.details().putArray("causes").addObject().put("message", reasonText);
        return status;
    }

    /** An error for which the real server has no reason. */
    public static ApiStatus unknownError(String message) {
        return plain(500, "", message);
    }

    public static ApiStatus timeout(String reasonText, Duration retryAfter) {
        return plain(504, "Timeout", "Timeout: " + reasonText).withRetryAfter(retryAfter);
    }

    public static ApiStatus plain(int code, String reason, String message) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("kind", "Status").put("apiVersion", "v1");
        tree.putObject("metadata");
        tree.put("status", "Failure").put("message", message);
        if (!reason.isEmpty()) {
            tree.put("reason", reason);
        }
        tree.put("code", code);
        return new ApiStatus(code, tree);
    }

    /** The Status of a successful request without an object in the response. */
    public static ObjectNode success() {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("kind", "Status").put("apiVersion", "v1");
        tree.putObject("metadata");
        tree.put("status", "Success");
        return tree;
    }

    /** The same error with one more cause. */
    public ApiStatus withCause(String reason, String message) {
        ObjectNode details = details();
        ArrayNode causes = details.get("causes") instanceof ArrayNode there ? there : details.putArray("causes");
        causes.addObject().put("reason", reason).put("message", message);
        return this;
    }

    private ApiStatus withRetryAfter(Duration wait) {
        details().put("retryAfterSeconds", wait.toSeconds());
        return this;
    }

    private ObjectNode details() {
        return tree.get("details") instanceof ObjectNode there ? there : tree.putObject("details");
    }

    private static ApiStatus forObject(int code, String reason, GroupResource resource, String name, String message) {
        ApiStatus status = plain(code, reason, message);
        ObjectNode details = status.details();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!resource.group().isEmpty()) {
            details.put("group", resource.group());
        }
        details.put("kind", resource.plural());
        return status;
    }

    private static String quote(String name) {
        return '"' + name + '"';
    }
}
