package dev.berth.sandbox.validation.field;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Collects the validation errors of an object in the order in which the checks find them. */
public final class FieldErrorList {
    private final List<FieldError> found = new ArrayList<>();

    public void add(FieldError error) {
        found.add(error);
    }

    public void addAll(List<FieldError> errors) {
        found.addAll(errors);
    }

    public void required(FieldPath field) {
        required(field, "");
    }

    public void required(FieldPath field, String detail) {
        found.add(FieldError.required(field, detail));
    }

    public void forbidden(FieldPath field, String detail) {
        found.add(FieldError.forbidden(field, detail));
    }

    public void invalid(FieldPath field, JsonNode value, String detail) {
        found.add(FieldError.invalid(field, value, detail));
    }

    public void invalid(FieldPath field, String value, String detail) {
        invalid(field, GoFormat.node(value), detail);
    }

    public void invalid(FieldPath field, long value, String detail) {
        invalid(field, GoFormat.node(value), detail);
    }

    /** Adds one error for each message. */
    public void invalid(FieldPath field, String value, List<String> messages) {
        messages.forEach(message -> invalid(field, value, message));
    }

    public void duplicate(FieldPath field, String value) {
        found.add(FieldError.duplicate(field, GoFormat.node(value)));
    }

    public void duplicate(FieldPath field, JsonNode value) {
        found.add(FieldError.duplicate(field, value));
    }

    public void notSupported(FieldPath field, String value, List<String> supported) {
        found.add(FieldError.notSupported(field, GoFormat.node(value), supported));
    }

    /** Requires one of the supported values. */
    public void requireSupported(FieldPath field, String value, List<String> supported) {
        if (value.isEmpty()) {
            required(field);
        } else {
            requireSupportedOrEmpty(field, value, supported);
        }
    }

    /** Requires one of the supported values or an empty value. */
    public void requireSupportedOrEmpty(FieldPath field, String value, List<String> supported) {
        if (!value.isEmpty() && !supported.contains(value)) {
            notSupported(field, value, supported);
        }
    }

    public void tooLong(FieldPath field, int bytes) {
        found.add(FieldError.tooLong(field, bytes));
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    public int size() {
        return found.size();
    }

    public List<FieldError> list() {
        return List.copyOf(found);
    }
}
