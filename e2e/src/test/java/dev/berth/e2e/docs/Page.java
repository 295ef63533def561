package dev.berth.e2e.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A page of the documentation and the commands it tells people to type: its fenced blocks marked {@code sh}. */
record Page(Path file, List<String> blocks) {
    private static final Pattern BLOCK = Pattern.compile("^```sh\\R(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);

    static Page read(Path file) {
        try {
            String text = Files.readString(file);
            return new Page(
                    file,
                    BLOCK.matcher(text).results().map(match -> match.group(1)).toList());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
