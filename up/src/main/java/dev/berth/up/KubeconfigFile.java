package dev.berth.up;

import dev.berth.app.cli.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kubeconfig that {@code berth up} writes for kubectl. It is written atomically, readable by its owner alone, and
 * deleted with its cluster. A file that {@code berth up} did not write is not overwritten, nor is the file of a running
 * cluster. A file that a crashed cluster left is replaced.
 */
final class KubeconfigFile implements AutoCloseable {
    private static final String HEADER = "# Written by berth up";
    private static final Pattern HEADER_PATTERN = Pattern.compile("^" + HEADER + ", process (\\d+) of (\\S+);");
    /** The tolerance for the start time of a process, which two calls may report differently. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(5);

    private final Path path;
    // Both guarded by this.
    private String written = "";
    private boolean closed;

    private KubeconfigFile(Path path) {
        this.path = path;
    }

    /** Checks, before anything is started, that the file may be written. */
    static KubeconfigFile at(Path path) {
        requireReplaceable(path);
        return new KubeconfigFile(path);
    }

    private static void requireReplaceable(Path path) {
        if (Files.isDirectory(path)) {
            throw UserError.invalidSetting(
                    "--kubeconfig %s is a folder. Maybe %s".formatted(path, path.resolve("config")));
        }
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            throw UserError.invalidSetting("--kubeconfig %s: the folder %s does not exist. Maybe run \"mkdir -p %2$s\""
                    .formatted(path, parent));
        }
        if (parent == null || !Files.isWritable(parent)) {
            throw UserError.invalidSetting(
                    "--kubeconfig %s: the folder %s cannot be written to".formatted(path, parent));
        }
        if (!Files.exists(path)) {
            return;
        }
        String there = read(path);
        if (!there.startsWith(HEADER)) {
            throw UserError.invalidSetting(
                    "--kubeconfig %s: the file exists, and berth up did not write it. Maybe use another file, or remove it"
                            .formatted(path));
        }
        runningWriter(there).ifPresent(pid -> {
            throw UserError.invalidSetting(
                    "--kubeconfig %s belongs to another berth up (process %d), which is still running. Maybe use another file, or stop that process"
                            .formatted(path, pid));
        });
    }

    /**
     * Writes the file.
     *
     * @throws UserError if it cannot be written, or a different program has created it
     */
    synchronized void write(String text) {
        if (closed) {
            throw UserError.failed("Berth was stopped while it was starting");
        }
        String marked = headerFor(ProcessHandle.current()) + "\n" + text;
        try {
            Path whole = Files.createTempFile(
                    path.toAbsolutePath().getParent(),
                    ".kubeconfig",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                Files.writeString(whole, marked);
                requireReplaceable(path);
                Files.move(whole, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                written = marked;
            } finally {
                Files.deleteIfExists(whole);
            }
        } catch (IOException unwritable) {
            throw UserError.invalidSetting(
                    "--kubeconfig %s cannot be written: %s".formatted(path, unwritable.getMessage()), unwritable);
        }
    }

    /** Deletes the file, unless a different program has replaced it. Idempotent. */
    @Override
    public synchronized void close() {
        closed = true;
        try {
            if (!written.isEmpty() && Files.exists(path) && read(path).equals(written)) {
                Files.delete(path);
            }
            written = "";
        } catch (IOException stays) {
            throw UserError.failed("%s could not be removed: %s".formatted(path, stays.getMessage()), stays);
        }
    }

    /** The first line, which identifies the file and its writer. */
    static String headerFor(ProcessHandle writer) {
        return "%s, process %d of %s; removed when it ends.".formatted(HEADER, writer.pid(), startOf(writer));
    }

    /** Process ids are reused: a process with another start time is a different process. */
    private static Optional<Long> runningWriter(String text) {
        Matcher writer = HEADER_PATTERN.matcher(text);
        if (!writer.find()) {
            return Optional.empty();
        }
        long pid = Long.parseLong(writer.group(1));
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> isSameStart(startOf(process), writer.group(2)))
                .map(ProcessHandle::pid);
    }

    private static boolean isSameStart(String one, String other) {
        try {
            return Duration.between(Instant.parse(one), Instant.parse(other))
                            .abs()
                            .compareTo(START_TOLERANCE)
                    <= 0;
        } catch (DateTimeParseException unknown) {
            return one.equals(other);
        }
    }

    private static String startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("unknown");
    }

    /** An unreadable file was not written by Berth. */
    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException unreadable) {
            return "";
        }
    }
}
