package dev.berth.testkit.parity;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Berth's words about what is kept for nominated pods, and kube-scheduler's about the same: to it a nominated pod is there
 * and room is short.
 */
final class RefusalMessageNormalizer {
    private static final Pattern NOMINATED_HOLDS =
            Pattern.compile(" \\((?:on \\d+: )?(?:\\S+ )?held by nominated pod [^)]*\\)");
    private static final Pattern REASONS = Pattern.compile("nodes are available: (.*?)\\.(?= preemption: |$)");
    private static final Pattern REASON_SEPARATOR = Pattern.compile(", (?=\\d+ )");

    private RefusalMessageNormalizer() {}

    /** What kube-scheduler would say. A message that names no nominated pod stays as it is. */
    static String toKubeSchedulerMessage(String refusal) {
        if (!refusal.contains("held by nominated pod")) {
            return refusal;
        }
        String words = NOMINATED_HOLDS.matcher(refusal).replaceAll("");
        return REASONS.matcher(words).replaceAll(RefusalMessageNormalizer::mergeReasons);
    }

    /** Reasons that became the same are one. */
    private static String mergeReasons(MatchResult sentence) {
        Map<String, Integer> counts = new TreeMap<>();
        REASON_SEPARATOR.splitAsStream(sentence.group(1)).forEach(part -> {
            int space = part.indexOf(' ');
            counts.merge(part.substring(space + 1), Integer.valueOf(part.substring(0, space)), Integer::sum);
        });
        String reasons = counts.entrySet().stream()
                .map(reason -> reason.getValue() + " " + reason.getKey())
                .sorted()
                .collect(Collectors.joining(", "));
        return Matcher.quoteReplacement("nodes are available: " + reasons + ".");
    }
}
