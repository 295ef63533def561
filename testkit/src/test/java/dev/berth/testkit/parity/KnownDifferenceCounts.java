package dev.berth.testkit.parity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How often each of the known differences showed, and how often it may. */
final class KnownDifferenceCounts {
    private static final Path PAGE = Path.of("..", "docs", "parity.md");
    private static final int PER_PODS = 10_000;
    /** In few pods chance weighs more. */
    private static final int ALWAYS_ALLOWED = 2;

    private final Map<KnownDifference, Integer> counts = new EnumMap<>(KnownDifference.class);

    void count(KnownDifference knownDifference) {
        counts.merge(knownDifference, 1, Integer::sum);
    }

    /** Those that showed in more of so many pods than docs/parity.md says. */
    List<String> excesses(int pods) {
        List<String> excesses = new ArrayList<>();
        for (KnownDifference knownDifference : KnownDifference.values()) {
            int allowed = allowed(knownDifference);
            if (counts.getOrDefault(knownDifference, 0) > ALWAYS_ALLOWED + (long) pods * allowed / PER_PODS) {
                excesses.add("%s: %d of %d pods; docs/parity.md allows %d of %d"
                        .formatted(
                                knownDifference.title(),
                                counts.getOrDefault(knownDifference, 0),
                                pods,
                                allowed,
                                PER_PODS));
            }
        }
        return excesses;
    }

    /** How many of ten thousand pods. */
    private static int allowed(KnownDifference knownDifference) {
        String row = "| " + knownDifference.title() + " | ";
        return page().stream()
                .filter(line -> line.startsWith(row))
                .map(line -> line.substring(row.length()).replace("|", "").strip())
                .map(Integer::valueOf)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "docs/parity.md does not say how often (%s) may show".formatted(knownDifference.title())));
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
        for (KnownDifference knownDifference : KnownDifference.values()) {
            words.add("%s: %d".formatted(knownDifference.title(), counts.getOrDefault(knownDifference, 0)));
        }
        return String.join(", ", words);
    }
}
