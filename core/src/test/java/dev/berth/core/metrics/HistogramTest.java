package dev.berth.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.core.testing.RandomSeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HistogramTest {
    @Test
    void aValueEqualToABoundIsInItsBucketAndALargerValueIsOnlyInTheCount() {
        Histogram histogram = Histogram.exponential(1, 2, 3);
        for (double value : new double[] {0, 1, 1.5, 4, 4.5, 100}) {
            histogram.observe(value);
        }
        assertThat(buckets(histogram)).containsExactly("1.0 2", "2.0 3", "4.0 4");
        assertThat(histogram.count()).isEqualTo(6);
        assertThat(histogram.sum()).isEqualTo(111);
    }

    @Test
    void aCopyStaysAsItWas() {
        Histogram histogram = Histogram.exponential(1, 2, 2);
        histogram.observe(1);
        Histogram copy = histogram.copy();
        histogram.observe(2);
        assertThat(copy.count()).isEqualTo(1);
        assertThat(copy.sum()).isEqualTo(1);
        assertThat(histogram.count()).isEqualTo(2);
    }

    @Test
    void theCountsEqualThoseOfSortedValues() {
        RandomSeeds.forEach(0, 50, seed -> {
            Random random = new Random(seed);
            Histogram histogram = Histogram.exponential(0.001, 2, 15);
            List<Double> values = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                double value = Math.pow(10, random.nextDouble() * 8 - 5);
                values.add(value);
                histogram.observe(value);
            }
            histogram.forEachBucket((bound, cumulative) -> assertThat(cumulative)
                    .as("bound %s", bound)
                    .isEqualTo(values.stream().filter(value -> value <= bound).count()));
            assertThat(histogram.sum())
                    .isCloseTo(values.stream().mapToDouble(value -> value).sum(), within(1e-6));
        });
    }

    @Test
    void boundsThatDoNotGrowAreRefused() {
        assertThatThrownBy(() -> Histogram.exponential(0, 2, 3)).hasMessageContaining("first (0.0)");
        assertThatThrownBy(() -> Histogram.exponential(1, 1, 3)).hasMessageContaining("factor (1.0)");
    }

    private static List<String> buckets(Histogram histogram) {
        List<String> buckets = new ArrayList<>();
        histogram.forEachBucket((bound, cumulative) -> buckets.add(bound + " " + cumulative));
        return buckets;
    }
}
