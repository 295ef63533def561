package dev.berth.sandbox.validation.field;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A validation error of one field. The API server puts {@link #toString} into the message of the Status, and
 * {@link #causeMessage} into the message of the Status cause.
 *
 * @param value the invalid value; a missing node if the message does not show it
 */
public record FieldError(String field, Type type, JsonNode value, String detail) {

    /** The error types of the API server; {@link #cause} is the reason in the Status cause. */
    public enum Type {
        NOT_FOUND("FieldValueNotFound", "Not found"),
        REQUIRED("FieldValueRequired", "Required value"),
        DUPLICATE("FieldValueDuplicate", "Duplicate value"),
        INVALID("FieldValueInvalid", "Invalid value"),
        NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value"),
        FORBIDDEN("FieldValueForbidden", "Forbidden"),
        TOO_LONG("FieldValueTooLong", "Too long"),
        TOO_SHORT("FieldValueTooShort", "Too short"),
        TOO_MANY("FieldValueTooMany", "Too many"),
        TOO_FEW("FieldValueTooFew", "Too few"),
        TYPE_INVALID("FieldValueTypeInvalid", "Invalid value"),
        INTERNAL("InternalError", "Internal error");

        private final String cause;
        private final String label;

        Type(String cause, String label) {
            this.cause = cause;
            this.label = label;
        }

        public String cause() {
            return cause;
        }
    }

    public FieldError {
        requireNonNull(field, "field");
        requireNonNull(type, "type");
        requireNonNull(value, "value");
        requireNonNull(detail, "detail");
    }

    public static FieldError required(FieldPath field, String detail) {
        return new FieldError(field.toString(), Type.REQUIRED, MissingNode.getInstance(), detail);
    }

    public static FieldError forbidden(FieldPath field, String detail) {
        return new FieldError(field.toString(), Type.FORBIDDEN, MissingNode.getInstance(), detail);
    }

    public static FieldError invalid(FieldPath field, JsonNode value, String detail) {
        return new FieldError(field.toString(), Type.INVALID, value, detail);
    }

    public static FieldError duplicate(FieldPath field, JsonNode value) {
        return new FieldError(field.toString(), Type.DUPLICATE, value, "");
    }

    public static FieldError notFound(FieldPath field, JsonNode value) {
        return new FieldError(field.toString(), Type.NOT_FOUND, value, "");
    }

    public static FieldError notSupported(FieldPath field, JsonNode value, List<String> supported) {
        String quoted = supported.stream().map(GoFormat::quote).collect(Collectors.joining(", "));
        String detail = supported.isEmpty() ? "" : "supported values: " + quoted;
        return new FieldError(field.toString(), Type.NOT_SUPPORTED, value, detail);
    }

    public static FieldError tooLong(FieldPath field, int bytes) {
        String detail = "may not be more than " + bytes + (bytes == 1 ? " byte" : " bytes");
        return new FieldError(field.toString(), Type.TOO_LONG, MissingNode.getInstance(), detail);
    }

    public static FieldError tooMany(FieldPath field, int actual, int limit) {
        String detail = "must have at most " + limit + (limit == 1 ? " item" : " items");
        return new FieldError(field.toString(), Type.TOO_MANY, GoFormat.node(actual), detail);
    }

    /** The message without the field path, as in a Status cause. */
    public String causeMessage() {
        String shown = showsValue() ? type.label + ": " + GoFormat.format(value) : type.label;
        return detail.isEmpty() ? shown : shown + ": " + detail;
    }

    private boolean showsValue() {
        return switch (type) {
            case REQUIRED, FORBIDDEN, TOO_LONG, TOO_SHORT, INTERNAL -> false;
            case NOT_FOUND, DUPLICATE, INVALID, NOT_SUPPORTED, TOO_MANY, TOO_FEW, TYPE_INVALID ->
                !value.isMissingNode();
        };
    }

    @Override
    public String toString() {
        return field + ": " + causeMessage();
    }
}
