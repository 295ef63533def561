package dev.berth.sandbox.schema.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalQuantityTest {

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
        "1000000000000000000000, 1000E"
    })
    void aQuantityIsWrittenAsTheRealServerWritesIt(String given, String canonical) {
        assertThat(CanonicalQuantity.canonicalize(given)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource({"1x", "1 Gi", "abc", "1.2.3", "1Gi5x", "''"})
    void whatIsNoQuantityIsRefusedWithTheGrammar(String given) {
        assertThatThrownBy(() -> CanonicalQuantity.canonicalize(given)).hasMessageStartingWith("quantities must match");
    }

    @ParameterizedTest
    @CsvSource({"1ki", "1kk", "1e", "1e9999", "1Mi5", "--1"})
    void anUnknownSuffixIsRejected(String given) {
        assertThatThrownBy(() -> CanonicalQuantity.canonicalize(given)).hasMessage("unable to parse quantity's suffix");
    }

    @Test
    void theCanonicalFormIsCanonical() {
        for (String text : new String[] {"1500m", "1Gi", "1126400m", "512Mi", "1k", "120", "9223372036854775807"}) {
            assertThat(CanonicalQuantity.canonicalize(text)).isEqualTo(text);
        }
    }
}
