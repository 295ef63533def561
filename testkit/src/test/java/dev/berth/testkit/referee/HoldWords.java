package dev.berth.testkit.referee;

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
final class HoldWords {
    private static final Pattern KEEPERS = Pattern.compile(" \\(the nomination of pod [^)]*\\)");
    private static final Pattern PORTS = Pattern.compile("node\\(s\\) had the requested host ports kept for others");
    private static final Pattern SLOTS = Pattern.compile("node\\(s\\) had pod slots kept for others");
    private static final Pattern RESOURCE = Pattern.compile("node\\(s\\) had (\\S+) kept for others");
    private static final Pattern COUNTS = Pattern.compile("nodes are available: (.*?)\\.(?= preemption: |$)");
    private static final Pattern NEXT = Pattern.compile(", (?=\\d+ )");

    private HoldWords() {}

    /** What kube-scheduler would say. Words that speak of nothing that is kept stay as they are. */
    static String asOfRoom(String refusal) {
        if (!refusal.contains(" kept for others")) {
            return refusal;
        }
        String words = KEEPERS.matcher(refusal).replaceAll("");
        words = PORTS.matcher(words).replaceAll("node(s) didn't have free ports for the requested pod ports");
        words = SLOTS.matcher(words).replaceAll("Too many pods");
        words = RESOURCE.matcher(words).replaceAll("Insufficient $1");
        return COUNTS.matcher(words).replaceAll(HoldWords::counted);
    }

    /** Reasons that became the same are one. */
    private static String counted(MatchResult sentence) {
        Map<String, Integer> counts = new TreeMap<>();
        NEXT.splitAsStream(sentence.group(1)).forEach(part -> {
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
