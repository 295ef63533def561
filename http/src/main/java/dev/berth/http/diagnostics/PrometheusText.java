package dev.berth.http.diagnostics;

import dev.berth.core.metrics.Histogram;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes metrics in the Prometheus text format 0.0.4. Each metric family is started once, followed by all of its
 * samples.
 */
public final class PrometheusText {
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
    /** Up to this value an integer is written without a fraction. */
    private static final double MAX_EXACT_INTEGER = 1L << 53;

    private final StringBuilder text = new StringBuilder();
    private final Set<String> declared = new HashSet<>();

    /** A metric family whose samples follow. */
    public final class MetricFamily {
        private final String name;

        private MetricFamily(String name) {
            this.name = name;
        }

        /**
         * Adds one sample.
         *
         * @param labels names and values in turn
         */
        public MetricFamily add(double value, String... labels) {
            appendSample(name, format(value), labels);
            return this;
        }

        /**
         * Adds one sample with an integer value.
         *
         * @param labels names and values in turn
         */
        public MetricFamily add(long value, String... labels) {
            appendSample(name, Long.toString(value), labels);
            return this;
        }
    }

    /** A histogram whose samples follow. */
    public final class HistogramFamily {
        private final String name;

        private HistogramFamily(String name) {
            this.name = name;
        }

        /**
         * Adds one sample.
         *
         * @param labels names and values in turn
         */
        public HistogramFamily add(Histogram histogram, String... labels) {
            String[] bucket = new String[labels.length + 2];
            System.arraycopy(labels, 0, bucket, 0, labels.length);
            bucket[labels.length] = "le";
            histogram.forEachBucket((bound, cumulative) -> {
                bucket[labels.length + 1] = format(bound);
                appendSample(name + "_bucket", Long.toString(cumulative), bucket);
            });
            bucket[labels.length + 1] = "+Inf";
            appendSample(name + "_bucket", Long.toString(histogram.count()), bucket);
            appendSample(name + "_sum", format(histogram.sum()), labels);
            appendSample(name + "_count", Long.toString(histogram.count()), labels);
            return this;
        }
    }

    /** A summary whose samples follow. */
    public final class SummaryFamily {
        private final String name;

        private SummaryFamily(String name) {
            this.name = name;
        }

        /**
         * Adds one sample.
         *
         * @param labels names and values in turn
         */
        public SummaryFamily add(long count, double sum, String... labels) {
            appendSample(name + "_count", Long.toString(count), labels);
            appendSample(name + "_sum", format(sum), labels);
            return this;
        }
    }

    /** A counter: a value that only grows while the process runs. */
    public MetricFamily counter(String name, String help) {
        return declare(name, help, "counter");
    }

    public MetricFamily gauge(String name, String help) {
        return declare(name, help, "gauge");
    }

    public HistogramFamily histogram(String name, String help) {
        return new HistogramFamily(declare(name, help, "histogram").name);
    }

    public SummaryFamily summary(String name, String help) {
        return new SummaryFamily(declare(name, help, "summary").name);
    }

    private MetricFamily declare(String name, String help, String type) {
        if (!NAME.matcher(name).matches() || !declared.add(name)) {
            throw new IllegalArgumentException("metric name (%s) is invalid or already in use".formatted(name));
        }
        text.append("# HELP ").append(name).append(' ');
        text.append(help.replace("\\", "\\\\").replace("\n", "\\n")).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return new MetricFamily(name);
    }

    private void appendSample(String name, String value, String... labels) {
        text.append(name);
        for (int i = 0; i < labels.length; i += 2) {
            text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
            text.append(escapeLabelValue(labels[i + 1])).append('"');
        }
        text.append(labels.length == 0 ? " " : "} ").append(value).append('\n');
    }

    private static String escapeLabelValue(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String format(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        boolean whole = value == Math.rint(value) && Math.abs(value) < MAX_EXACT_INTEGER;
        return whole ? Long.toString((long) value) : Double.toString(value).toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
