package dev.berth.sandbox.validation.field;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with an object, in the order in which it is found. */
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

    /** One error for each message about the value. */
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

    /** A word out of a list: required, and of no other kind. */
    public void requireSupported(FieldPath field, String value, List<String> supported) {
        if (value.isEmpty()) {
            required(field);
        } else {
            requireSupportedOrEmpty(field, value, supported);
        }
    }

    /** A word out of a list, or none at all. */
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
