package dev.berth.http.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.metrics.Histogram;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
    private final PrometheusText prometheusText = new PrometheusText();

    @Test
    void aMetricHasHelpTypeAndSamples() {
        prometheusText
                .counter("requests_total", "How many.")
                .add(3, "code", "200", "method", "GET")
                .add(0.5);
        assertThat(prometheusText).hasToString("""
                # HELP requests_total How many.
                # TYPE requests_total counter
                requests_total{code="200",method="GET"} 3
                requests_total 0.5
                """);
    }

    @Test
    void aHistogramIsCumulativeAndEndsWithInf() {
        Histogram histogram = Histogram.exponential(0.001, 2, 2);
        histogram.observe(0.0005);
        histogram.observe(7);
        prometheusText.histogram("seconds", "How long.").add(histogram, "result", "scheduled");
        assertThat(prometheusText).hasToString("""
                # HELP seconds How long.
                # TYPE seconds histogram
                seconds_bucket{result="scheduled",le="0.001"} 1
                seconds_bucket{result="scheduled",le="0.002"} 1
                seconds_bucket{result="scheduled",le="+Inf"} 2
                seconds_sum{result="scheduled"} 7.0005
                seconds_count{result="scheduled"} 2
                """);
    }

    @Test
    void lineBreaksAndQuotesAreEscaped() {
        prometheusText.gauge("odd", "A \\ and\na line.").add(1, "name", "a \"quoted\" \\ and\na line");
        assertThat(prometheusText).hasToString("""
                # HELP odd A \\\\ and\\na line.
                # TYPE odd gauge
                odd{name="a \\"quoted\\" \\\\ and\\na line"} 1
                """);
    }

    @Test
    void aMetricDeclaredTwiceIsRejected() {
        prometheusText.gauge("once", "");
        assertThatThrownBy(() -> prometheusText.counter("once", "")).hasMessageContaining("(once)");
        assertThatThrownBy(() -> prometheusText.counter("no-name", "")).hasMessageContaining("(no-name)");
    }
}
