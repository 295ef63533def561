package dev.berth.sandbox.unstructured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.testing.RandomHistories;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StoredQuantityTest {

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
        assertThat(StoredQuantity.parseIfValid(written))
                .map(StoredQuantity::toString)
                .contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1a", "1K", "1e", "--1", "1 k", "1kk", "1.5.5", "1Ki2", "0x10"})
    void anInvalidQuantityIsRejected(String text) {
        assertThat(StoredQuantity.parseIfValid(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"100u, 1m", "1.0001, 1001m", "1.5, 1500m", "2, 2", "1Gi, 1Gi", "-100u, -1m"})
    void resourcesAreRoundedAwayFromZeroToThousandths(String written, String rounded) {
        assertThat(StoredQuantity.parseIfValid(written))
                .map(amount -> amount.roundedUpToMilli().toString())
                .contains(rounded);
    }

    @RandomHistories(count = 2)
    void aWrittenQuantityIsReadBackAsTheSameAmount(long seed) {
        Random random = new Random(seed);
        String[] suffixes = {"n", "u", "m", "", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "e3", "e-6", "E2"};
        for (int i = 0; i < 10_000; i++) {
            String text = new BigDecimal(random.nextInt(1_000_000))
                            .movePointLeft(random.nextInt(4))
                            .toPlainString()
                    + suffixes[random.nextInt(suffixes.length)];
            StoredQuantity amount = StoredQuantity.parse(text);
            StoredQuantity again = StoredQuantity.parse(amount.toString());
            assertThat(again).as("%s", text).isEqualByComparingTo(amount);
            assertThat(StoredQuantity.parse(again.toString())).hasToString(again.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "1000, 1k",
        "1000m, 1",
        "1500m, 1500m",
        "0.5, 500m",
        "1.5, 1500m",
        "1.234, 1.234",
        "1.500, 1.500",
        "1.000, 1",
        "1.0, 1",
        "0.100, 100m",
        "100k, 100k",
        "1000k, 1M",
        "1e3, 1e3",
        "12e1, 120",
        "1E3, 1E3",
        "1024Mi, 1Gi",
        "1Gi, 1Gi",
        "1536Mi, 1536Mi",
        "1.5Gi, 1536Mi",
        "0.5Gi, 512Mi",
        "8Ki, 8Ki",
        "0.5Ki, 512",
        "1.1Ki, 1126400m",
        "0.1Ki, 102400m",
        "1Ei, 1Ei",
        "8Ei, 9223372036854775807",
        "1n, 1n",
        "0.1n, 1n",
        "1u, 1u",
        "1000000n, 1m",
        "-1, -1",
        "-1024Mi, -1Gi",
        "-0.5, -500m",
        "+5, +5",
        "00, 0",
        "007, 007",
        "0Mi, 0",
        "m, 0",
        "1.G, 1.G",
        "100E, 100E",
        "1e-3, 1e-3",
        "123456789012345678901, 123456789012345678901",
        "1000000000000000000000, 1",
        "1000E, 1",
        "Ki, 0"
    })
    void theCanonicalTextIsThatOfTheRealServer(String given, String canonical) {
        assertThat(StoredQuantity.canonicalize(given)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource({"1x", "1 Gi", "abc", "1.2.3", "1Gi5x", "''"})
    void aTextThatIsNotAQuantityIsRejectedWithTheGrammar(String given) {
        assertThatThrownBy(() -> StoredQuantity.canonicalize(given)).hasMessageStartingWith("quantities must match");
    }

    @ParameterizedTest
    @CsvSource({"1ki", "1kk", "1e", "1e9999", "1Mi5", "--1"})
    void anUnknownSuffixIsRejected(String given) {
        assertThatThrownBy(() -> StoredQuantity.canonicalize(given)).hasMessage("unable to parse quantity's suffix");
    }

    @Test
    void theCanonicalFormIsCanonical() {
        for (String text : new String[] {"1500m", "1Gi", "1126400m", "512Mi", "1k", "120", "9223372036854775807"}) {
            assertThat(StoredQuantity.canonicalize(text)).isEqualTo(text);
        }
    }
}
