package dev.berth.app.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A table of a page: the rows under a heading, each a list of its cells. */
final class MarkdownTable {
    static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    static final String PAGE = "testkit/README.md";

    private MarkdownTable() {}

    static List<List<String>> rowsUnder(String heading) {
        List<List<String>> rows = lines().stream()
                .dropWhile(line -> !line.equals("## " + heading))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .map(MarkdownTable::cells)
                .toList();
        if (rows.isEmpty()) {
            throw new IllegalStateException("%s has no table under (%s)".formatted(PAGE, heading));
        }
        return rows;
    }

    private static List<String> cells(String row) {
        return Arrays.stream(row.substring(1, row.lastIndexOf('|')).split("\\|", -1))
                .map(String::strip)
                .toList();
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(REPOSITORY.resolve(PAGE));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
