package dev.berth.e2e.prose;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A piece of text that users read.
 *
 * @param line the line of the file where the text begins
 */
record Passage(Path file, long line, String text) {
    /** What is wrong with the text, each with the file and the line. */
    Stream<String> findings() {
        List<String> findings = ProseRule.findings(text);
        return findings.stream().map(finding -> "%s:%d: %s%n      in: %.160s".formatted(file, line, finding, text));
    }
}
