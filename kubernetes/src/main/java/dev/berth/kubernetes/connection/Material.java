package dev.berth.kubernetes.connection;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Something in PEM that is given as a file, read when it is needed, or in a kubeconfig itself. */
interface Material {
    byte[] bytes() throws UnusableAccess;

    /** How messages call it. */
    String label();

    static Material file(String field, Path path) {
        return new Material() {
            @Override
            public byte[] bytes() throws UnusableAccess {
                try {
                    return Files.readAllBytes(path);
                } catch (IOException unreadable) {
                    throw new UnusableAccess("%s cannot be read: %s".formatted(label(), why(unreadable)), unreadable);
                }
            }

            @Override
            public String label() {
                return "%s (%s)".formatted(field, path);
            }
        };
    }

    /** The JDK's exceptions say the path again and leave the reason to their name. */
    static String why(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file";
        }
        return failure instanceof AccessDeniedException ? "access is denied" : String.valueOf(failure.getMessage());
    }

    static Material inline(String field, byte[] bytes) {
        return new Material() {
            @Override
            public byte[] bytes() {
                return bytes;
            }

            @Override
            public String label() {
                return field;
            }
        };
    }
}
