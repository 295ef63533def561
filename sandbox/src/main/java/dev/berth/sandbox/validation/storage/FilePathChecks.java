package dev.berth.sandbox.validation.storage;

import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.Arrays;

/** Paths of files inside volumes and on nodes. */
public final class FilePathChecks {
    private FilePathChecks() {}

    /** Whether one step of the path goes back. */
    public static boolean hasBackstep(String path) {
        return Arrays.asList(path.split("/", -1)).contains("..");
    }

    public static void checkNoBacksteps(String value, FieldPath path, FieldErrorList errors) {
        if (hasBackstep(value)) {
            errors.invalid(path, value, "must not contain '..'");
        }
    }

    /** A path that stays inside where it starts. */
    public static void checkDescending(String value, FieldPath path, FieldErrorList errors) {
        if (value.startsWith("/")) {
            errors.invalid(path, value, "must be a relative path");
        }
        checkNoBacksteps(value, path, errors);
    }

    /** A path that stays inside where it starts, and does not begin as the kubelet's own files do. */
    public static void checkUnreserved(String value, FieldPath path, FieldErrorList errors) {
        checkDescending(value, path, errors);
        if (value.startsWith("..") && !value.startsWith("../")) {
            errors.invalid(path, value, "must not start with '..'");
        }
    }
}
