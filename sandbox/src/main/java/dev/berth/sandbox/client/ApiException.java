package dev.berth.sandbox.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;

/** The API server rejected a call. The message is that of the server. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ObjectNode status;
    private final int code;
    private final String reason;

    public ApiException(int httpCode, ObjectNode status) {
        super(messageOf(httpCode, status));
        this.status = status;
        this.code = NestedFields.intValue(status, httpCode, "code");
        this.reason = NestedFields.text(status, "reason");
    }

    private static String messageOf(int httpCode, ObjectNode status) {
        String message = NestedFields.text(status, "message");
        return message.isEmpty() ? "the server answered " + httpCode : message;
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    /** The Status object the server sent. */
    public ObjectNode status() {
        return status;
    }

    public boolean isNotFound() {
        return code == 404;
    }

    public boolean isConflict() {
        return code == 409 && !isAlreadyExists();
    }

    public boolean isAlreadyExists() {
        return code == 409 && reason.equals("AlreadyExists");
    }

    public boolean isGone() {
        return code == 410;
    }

    public boolean isTooManyRequests() {
        return code == 429;
    }

    /** Whether one of the status's causes has that reason, such as {@code NamespaceTerminating}. */
    public boolean hasCause(String causeReason) {
        return NestedFields.objects(status, "details", "causes").stream()
                .anyMatch(cause -> NestedFields.text(cause, "reason").equals(causeReason));
    }
}
