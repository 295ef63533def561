package dev.berth.http.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.meter.Histogram;
import org.junit.jupiter.api.Test;

class ExpositionTest {
    private final Exposition exposition = new Exposition();

    @Test
    void aMetricIsItsHelpItsTypeAndItsSamples() {
        exposition
                .counter("requests_total", "How many.")
                .is(3, "code", "200", "method", "GET")
                .is(0.5);
        assertThat(exposition).hasToString("""
                # HELP requests_total How many.
                # TYPE requests_total counter
                requests_total{code="200",method="GET"} 3
                requests_total 0.5
                """);
    }

    @Test
    void aHistogramIsCumulativeAndEndsWithAllOfThem() {
        Histogram histogram = Histogram.exponential(0.001, 2, 2);
        histogram.observe(0.0005);
        histogram.observe(7);
        exposition.histogram("seconds", "How long.").is(histogram, "result", "scheduled");
        assertThat(exposition).hasToString("""
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
    void whatWouldBreakALineIsEscaped() {
        exposition.gauge("odd", "A \\ and\na line.").is(1, "name", "a \"quoted\" \\ and\na line");
        assertThat(exposition).hasToString("""
                # HELP odd A \\\\ and\\na line.
                # TYPE odd gauge
                odd{name="a \\"quoted\\" \\\\ and\\na line"} 1
                """);
    }

    @Test
    void aMetricIsBegunOnce() {
        exposition.gauge("once", "");
        assertThatThrownBy(() -> exposition.counter("once", "")).hasMessageContaining("(once)");
        assertThatThrownBy(() -> exposition.counter("no-name", "")).hasMessageContaining("(no-name)");
    }
}
