package dev.berth.http.operation;

import dev.berth.core.meter.Histogram;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Metrics as Prometheus reads them: its text format 0.0.4. Each metric is begun once and followed by all of its samples.
 */
public final class Exposition {
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
    /** Up to here a whole number is written as one. */
    private static final double WHOLE = 1L << 53;

    private final StringBuilder text = new StringBuilder();
    private final Set<String> begun = new HashSet<>();

    /** A metric whose samples follow. */
    public final class Metric {
        private final String name;

        private Metric(String name) {
            this.name = name;
        }

        /**
         * One series of it.
         *
         * @param labels names and values in turn
         */
        public Metric is(double value, String... labels) {
            sample(name, number(value), labels);
            return this;
        }

        /**
         * One series of it that is a whole number.
         *
         * @param labels names and values in turn
         */
        public Metric is(long value, String... labels) {
            sample(name, Long.toString(value), labels);
            return this;
        }
    }

    /** A histogram whose samples follow. */
    public final class Histograms {
        private final String name;

        private Histograms(String name) {
            this.name = name;
        }

        /**
         * One series of it.
         *
         * @param labels names and values in turn
         */
        public Histograms is(Histogram histogram, String... labels) {
            String[] bucket = new String[labels.length + 2];
            System.arraycopy(labels, 0, bucket, 0, labels.length);
            bucket[labels.length] = "le";
            histogram.forEachBucket((bound, cumulative) -> {
                bucket[labels.length + 1] = number(bound);
                sample(name + "_bucket", Long.toString(cumulative), bucket);
            });
            bucket[labels.length + 1] = "+Inf";
            sample(name + "_bucket", Long.toString(histogram.count()), bucket);
            sample(name + "_sum", number(histogram.sum()), labels);
            sample(name + "_count", Long.toString(histogram.count()), labels);
            return this;
        }
    }

    /** A summary whose samples follow. */
    public final class Summaries {
        private final String name;

        private Summaries(String name) {
            this.name = name;
        }

        /**
         * One series of it.
         *
         * @param labels names and values in turn
         */
        public Summaries is(long count, double sum, String... labels) {
            sample(name + "_count", Long.toString(count), labels);
            sample(name + "_sum", number(sum), labels);
            return this;
        }
    }

    /** Something that only grows while the process lives. */
    public Metric counter(String name, String help) {
        return begin(name, help, "counter");
    }

    public Metric gauge(String name, String help) {
        return begin(name, help, "gauge");
    }

    public Histograms histogram(String name, String help) {
        return new Histograms(begin(name, help, "histogram").name);
    }

    public Summaries summary(String name, String help) {
        return new Summaries(begin(name, help, "summary").name);
    }

    private Metric begin(String name, String help, String type) {
        if (!NAME.matcher(name).matches() || !begun.add(name)) {
            throw new IllegalArgumentException("metric (%s) is no name, or is there already".formatted(name));
        }
        text.append("# HELP ").append(name).append(' ');
        text.append(help.replace("\\", "\\\\").replace("\n", "\\n")).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return new Metric(name);
    }

    private void sample(String name, String value, String... labels) {
        text.append(name);
        for (int i = 0; i < labels.length; i += 2) {
            text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
            text.append(escaped(labels[i + 1])).append('"');
        }
        text.append(labels.length == 0 ? " " : "} ").append(value).append('\n');
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        boolean whole = value == Math.rint(value) && Math.abs(value) < WHOLE;
        return whole ? Long.toString((long) value) : Double.toString(value).toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
