package dev.berth.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The kubeconfig that {@code berth up} leaves for kubectl. It appears whole, readable by its owner alone, and goes with
 * the cluster it speaks of. A file that somebody else made is not touched.
 */
final class KubeconfigFile implements AutoCloseable {
    private static final String MARK = "# Written by berth up; removed when it ends.";

    private final Path path;
    private final String text;

    private KubeconfigFile(Path path, String text) {
        this.path = path;
        this.text = text;
    }

    /** Checks, before anything is started, that the file may be written. */
    static void check(Path path) {
        if (Files.isDirectory(path)) {
            throw UserError.setting("--kubeconfig %s is a folder. Maybe %s".formatted(path, path.resolve("config")));
        }
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null || !Files.isWritable(parent)) {
            throw UserError.setting("--kubeconfig %s: the folder %s cannot be written to".formatted(path, parent));
        }
        if (Files.exists(path) && !isOurs(path)) {
            throw UserError.setting(
                    "--kubeconfig %s: there is a file already, and not one of ours. Maybe name another, or remove it"
                            .formatted(path));
        }
    }

    static KubeconfigFile write(Path path, String text) {
        try {
            Path whole = Files.createTempFile(
                    path.toAbsolutePath().getParent(),
                    ".kubeconfig",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            String marked = MARK + "\n" + text;
            Files.writeString(whole, marked);
            Files.move(whole, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new KubeconfigFile(path, marked);
        } catch (IOException unwritable) {
            throw UserError.setting(
                    "--kubeconfig %s cannot be written: %s".formatted(path, unwritable.getMessage()), unwritable);
        }
    }

    Path path() {
        return path;
    }

    /** Another berth may have taken the path over meanwhile: then it is its to remove. */
    @Override
    public void close() {
        try {
            if (Files.exists(path) && Files.readString(path).equals(text)) {
                Files.delete(path);
            }
        } catch (IOException stays) {
            throw UserError.failed("%s could not be removed: %s".formatted(path, stays.getMessage()), stays);
        }
    }

    private static boolean isOurs(Path path) {
        try {
            return Files.exists(path) && Files.readString(path).startsWith(MARK);
        } catch (IOException unreadable) {
            return false;
        }
    }
}
