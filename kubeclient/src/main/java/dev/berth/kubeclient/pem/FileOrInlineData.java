package dev.berth.kubeclient.pem;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** PEM data in a file, which is read when it is needed, or inline in a kubeconfig. */
public interface FileOrInlineData {
    byte[] bytes() throws ClientConfigException;

    /** Its name in messages. */
    String description();

    static FileOrInlineData file(String field, Path path) {
        return new FileOrInlineData() {
            @Override
            public byte[] bytes() throws ClientConfigException {
                try {
                    return Files.readAllBytes(path);
                } catch (IOException unreadable) {
                    throw new ClientConfigException(
                            "%s cannot be read: %s".formatted(description(), reasonOf(unreadable)), unreadable);
                }
            }

            @Override
            public String description() {
                return "%s (%s)".formatted(field, path);
            }
        };
    }

    /** The JDK's exceptions contain the path again, and the reason only in their class name. */
    static String reasonOf(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "the file does not exist";
        }
        return failure instanceof AccessDeniedException ? "access is denied" : String.valueOf(failure.getMessage());
    }

    static FileOrInlineData inline(String field, byte[] bytes) {
        return new FileOrInlineData() {
            @Override
            public byte[] bytes() {
                return bytes;
            }

            @Override
            public String description() {
                return field;
            }
        };
    }
}
