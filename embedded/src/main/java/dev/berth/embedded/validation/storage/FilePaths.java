package dev.berth.embedded.validation.storage;

import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import java.util.Arrays;

/** Paths of files inside volumes and on nodes. */
public final class FilePaths {
    private FilePaths() {}

    /** Whether one step of the path goes back. */
    public static boolean goesBack(String path) {
        return Arrays.asList(path.split("/", -1)).contains("..");
    }

    public static void checkNoBacksteps(String value, Path path, FieldErrors errors) {
        if (goesBack(value)) {
            errors.invalid(path, value, "must not contain '..'");
        }
    }

    /** A path that stays inside where it starts. */
    public static void checkDescending(String value, Path path, FieldErrors errors) {
        if (value.startsWith("/")) {
            errors.invalid(path, value, "must be a relative path");
        }
        checkNoBacksteps(value, path, errors);
    }

    /** A path that stays inside where it starts, and does not begin as the kubelet's own files do. */
    public static void checkUnreserved(String value, Path path, FieldErrors errors) {
        checkDescending(value, path, errors);
        if (value.startsWith("..") && !value.startsWith("../")) {
            errors.invalid(path, value, "must not start with '..'");
        }
    }
}
