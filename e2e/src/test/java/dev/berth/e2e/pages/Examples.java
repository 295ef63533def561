package dev.berth.e2e.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folders in which the commands of the original tools' pages work as printed: {@code examples/<tool>}. */
public final class Examples {
    private static final Path FOLDER =
            Path.of("..", "examples").toAbsolutePath().normalize();

    private Examples() {}

    public static Path folder(String tool) {
        Path folder = FOLDER.resolve(tool);
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("examples has no folder %s".formatted(tool));
        }
        return folder;
    }

    /**
     * The text of one example.
     *
     * @param path as the page prints it, such as {@code deployment/test.yaml}
     */
    public static String read(String tool, String path) {
        try {
            return Files.readString(folder(tool).resolve(path));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
