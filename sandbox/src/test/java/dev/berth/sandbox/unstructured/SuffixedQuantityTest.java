package dev.berth.sandbox.unstructured;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SuffixedQuantityTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "00, 0",
        "1, 1",
        "-1, -1",
        "1000, 1k",
        "1500, 1500",
        "10000, 10k",
        "1024, 1024",
        "0.1, 100m",
        ".5, 500m",
        "1., 1.",
        "0.0001, 100u",
        "100m, 100m",
        "1000m, 1",
        "1500m, 1500m",
        "1Ki, 1Ki",
        "1024Ki, 1Mi",
        "1.5Gi, 1536Mi",
        "0.5Ki, 512",
        "1536Mi, 1536Mi",
        "1000Gi, 1000Gi",
        "1E, 1E",
        "1e3, 1e3",
        "1000e3, 1e6",
        "12E2, 1200",
        "1.234, 1.234",
        "+5, +5",
        "0.0000000001, 1n",
        "9Ei, 9223372036854775807"
    })
    void anAmountIsWrittenAsKubernetesWritesIt(String written, String canonical) {
        assertThat(SuffixedQuantity.parse(written))
                .map(SuffixedQuantity::toString)
                .contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1a", "1K", "1e", "--1", "1 k", "1kk", "1.5.5", "Ki", "1Ki2", "0x10"})
    void anInvalidQuantityIsRejected(String text) {
        assertThat(SuffixedQuantity.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"100u, 1m", "1.0001, 1001m", "1.5, 1500m", "2, 2", "1Gi, 1Gi", "-100u, -1m"})
    void resourcesAreRoundedAwayFromZeroToThousandths(String written, String rounded) {
        assertThat(SuffixedQuantity.parse(written))
                .map(amount -> amount.roundedUpToMilli().toString())
                .contains(rounded);
    }

    @RandomHistories(count = 2)
    void whatIsWrittenReadsAsTheSameAmount(long seed) {
        Random random = new Random(seed);
        String[] suffixes = {"n", "u", "m", "", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "e3", "e-6", "E2"};
        for (int i = 0; i < 10_000; i++) {
            String text = new BigDecimal(random.nextInt(1_000_000))
                            .movePointLeft(random.nextInt(4))
                            .toPlainString()
                    + suffixes[random.nextInt(suffixes.length)];
            SuffixedQuantity amount = SuffixedQuantity.parse(text).orElseThrow();
            SuffixedQuantity again = SuffixedQuantity.parse(amount.toString()).orElseThrow();
            assertThat(again).as("%s", text).isEqualByComparingTo(amount);
            assertThat(SuffixedQuantity.parse(again.toString()).orElseThrow()).hasToString(again.toString());
        }
    }
}
