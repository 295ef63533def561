package dev.berth.testkit.referee;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How often each of the known differences showed, and how often it may. */
final class Tally {
    private static final Path PAGE = Path.of("..", "docs", "parity.md");
    private static final int OF = 10_000;
    /** In few pods chance weighs more. */
    private static final int ALWAYS_ALLOWED = 2;

    private final Map<Known, Integer> counts = new EnumMap<>(Known.class);

    void count(Known known) {
        counts.merge(known, 1, Integer::sum);
    }

    /** Those that showed in more of so many pods than docs/parity.md says. */
    List<String> excesses(int pods) {
        List<String> excesses = new ArrayList<>();
        for (Known known : Known.values()) {
            int allowed = allowed(known);
            if (counts.getOrDefault(known, 0) > ALWAYS_ALLOWED + (long) pods * allowed / OF) {
                excesses.add("%s: %d of %d pods; docs/parity.md allows %d of %d"
                        .formatted(known.words(), counts.getOrDefault(known, 0), pods, allowed, OF));
            }
        }
        return excesses;
    }

    /** How many of ten thousand pods. */
    private static int allowed(Known known) {
        String row = "| " + known.words() + " | ";
        return page().stream()
                .filter(line -> line.startsWith(row))
                .map(line -> line.substring(row.length()).replace("|", "").strip())
                .map(Integer::valueOf)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "docs/parity.md does not say how often (%s) may show".formatted(known.words())));
    }

    private static List<String> page() {
        try {
            return Files.readAllLines(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException("(%s) cannot be read".formatted(PAGE), e);
        }
    }

    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        for (Known known : Known.values()) {
            words.add("%s: %d".formatted(known.words(), counts.getOrDefault(known, 0)));
        }
        return String.join(", ", words);
    }
}
