package dev.berth.testkit.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the Prometheus text format strictly. Each metric family occurs once, with help and type before its samples. No
 * series occurs twice, and buckets are cumulative and end with +Inf.
 */
public final class ExpositionFormat {
    private static final Pattern HELP = Pattern.compile("# HELP ([a-z][a-z0-9_]*) ((?:[^\\\\\\n]|\\\\\\\\|\\\\n)+)");
    private static final Pattern TYPE = Pattern.compile("# TYPE ([a-z][a-z0-9_]*) (counter|gauge|histogram|summary)");
    private static final Pattern SAMPLE =
            Pattern.compile("([a-z][a-z0-9_]*)(?:\\{(.+)})? ([+-]?(?:Inf|[0-9]+(?:\\.[0-9]+)?(?:e-?[0-9]+)?))");
    private static final Pattern LABEL =
            Pattern.compile("([a-z][a-z0-9_]*)=\"((?:[^\\\\\"\\n]|\\\\\\\\|\\\\\"|\\\\n)*)\"(,|$)");

    private final Map<String, Metric> metrics = new LinkedHashMap<>();
    private final Set<String> series = new HashSet<>();

    /**
     * One metric with its samples.
     *
     * @param samples by their labels, in the order of the text
     */
    public record Metric(String name, String type, List<Sample> samples) {
        public Set<String> labels() {
            Set<String> names = new TreeSet<>();
            samples.forEach(sample -> names.addAll(sample.labels().keySet()));
            names.remove("le");
            return names;
        }

        /** The only sample with these labels, names and values in turn. */
        public double value(String... labels) {
            List<Sample> found =
                    samples.stream().filter(sample -> sample.has(labels)).toList();
            assertThat(found).as("%s%s", name, List.of(labels)).hasSize(1);
            return found.get(0).value();
        }
    }

    public record Sample(String name, Map<String, String> labels, double value) {
        boolean has(String... wanted) {
            for (int i = 0; i < wanted.length; i += 2) {
                if (!wanted[i + 1].equals(labels.get(wanted[i]))) {
                    return false;
                }
            }
            return true;
        }
    }

    private ExpositionFormat() {}

    public static ExpositionFormat read(String text) {
        assertThat(text).endsWith("\n");
        ExpositionFormat format = new ExpositionFormat();
        List<String> lines = text.lines().toList();
        int line = 0;
        while (line < lines.size()) {
            line = format.readMetric(lines, line);
        }
        return format;
    }

    public Metric metric(String name) {
        return Optional.ofNullable(metrics.get(name)).orElseThrow(() -> new AssertionError(name + " is not told"));
    }

    public Collection<Metric> all() {
        return metrics.values();
    }

    private int readMetric(List<String> lines, int from) {
        Matcher help = matched(HELP, lines.get(from));
        Matcher type = matched(TYPE, lines.get(from + 1));
        String name = help.group(1);
        assertThat(type.group(1)).as(lines.get(from)).isEqualTo(name);
        Metric metric = new Metric(name, type.group(2), new ArrayList<>());
        assertThat(metrics.put(name, metric)).as("%s is told once", name).isNull();
        int line = from + 2;
        for (; line < lines.size() && !lines.get(line).startsWith("#"); line++) {
            metric.samples().add(sample(metric, lines.get(line)));
        }
        if (metric.type().equals("histogram")) {
            histograms(metric);
        }
        if (metric.type().equals("counter")) {
            assertThat(name).endsWith("_total");
            assertThat(metric.samples()).allMatch(sample -> sample.value() >= 0);
        }
        return line;
    }

    private Sample sample(Metric metric, String line) {
        Matcher parts = matched(SAMPLE, line);
        String name = parts.group(1);
        List<String> suffixes = switch (metric.type()) {
            case "histogram" -> List.of("_bucket", "_sum", "_count");
            case "summary" -> List.of("_sum", "_count");
            default -> List.of("");
        };
        assertThat(suffixes.stream().map(suffix -> metric.name() + suffix))
                .as(line)
                .contains(name);
        Map<String, String> labels = labels(Objects.requireNonNullElse(parts.group(2), ""));
        assertThat(series.add(name + new TreeMap<>(labels)))
                .as("a series is told once: %s", line)
                .isTrue();
        assertThat(labels.containsKey("le")).as(line).isEqualTo(name.endsWith("_bucket"));
        return new Sample(name, labels, number(parts.group(3)));
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new LinkedHashMap<>();
        Matcher label = LABEL.matcher(text);
        int end = 0;
        while (label.find()) {
            assertThat(label.start()).as(text).isEqualTo(end);
            assertThat(labels.put(label.group(1), label.group(2))).as(text).isNull();
            end = label.end();
        }
        assertThat(end).as("labels are well-formed: %s", text).isEqualTo(text.length());
        return labels;
    }

    private static void histograms(Metric metric) {
        Map<Map<String, String>, List<Sample>> apart = new LinkedHashMap<>();
        metric.samples().forEach(sample -> {
            Map<String, String> labels = new TreeMap<>(sample.labels());
            labels.remove("le");
            apart.computeIfAbsent(labels, same -> new ArrayList<>()).add(sample);
        });
        apart.forEach((labels, samples) -> histogram(metric.name() + labels, samples));
    }

    private static void histogram(String name, List<Sample> samples) {
        List<Sample> buckets = samples.stream()
                .filter(sample -> sample.labels().containsKey("le"))
                .toList();
        double bound = Double.NEGATIVE_INFINITY;
        double count = 0;
        for (Sample bucket : buckets) {
            double next = number(bucket.labels().getOrDefault("le", ""));
            assertThat(next).as("%s: bounds grow", name).isGreaterThan(bound);
            assertThat(bucket.value()).as("%s: buckets are cumulative", name).isGreaterThanOrEqualTo(count);
            bound = next;
            count = bucket.value();
        }
        assertThat(bound).as("%s ends with all", name).isEqualTo(Double.POSITIVE_INFINITY);
        double all = count;
        List<Sample> rest = samples.stream()
                .filter(sample -> !sample.labels().containsKey("le"))
                .toList();
        assertThat(rest).as(name).hasSize(2);
        assertThat(rest)
                .filteredOn(sample -> sample.name().endsWith("_count"))
                .singleElement()
                .matches(sample -> sample.value() == all);
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static Matcher matched(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        assertThat(matcher.matches()).as("%s is as %s", line, pattern).isTrue();
        return matcher;
    }
}
