package dev.berth.sandbox.printers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HumanDurationTest {

    @ParameterizedTest
    @CsvSource({
        "PT-5S, <invalid>",
        "PT-2S, <invalid>",
        "PT-1.9S, 0s",
        "PT0S, 0s",
        "PT1M59.9S, 119s",
        "PT2M, 2m",
        "PT2M1S, 2m1s",
        "PT9M59S, 9m59s",
        "PT10M59S, 10m",
        "PT2H59M, 179m",
        "PT3H, 3h",
        "PT3H5M, 3h5m",
        "PT7H59M, 7h59m",
        "PT8H30M, 8h",
        "PT47H, 47h",
        "P2D, 2d",
        "P2DT3H, 2d3h",
        "P7DT23H, 7d23h",
        "P8DT5H, 8d",
        "P729D, 729d",
        "P730D, 2y",
        "P731D, 2y1d",
        "P2919D, 7y364d",
        "P2920D, 8y",
        "P4000D, 10y"
    })
    void aDurationIsFormattedAsInKubectl(String duration, String printed) {
        assertThat(HumanDuration.format(Duration.parse(duration))).isEqualTo(printed);
    }

    @Test
    void theAgeOfAMissingTimeIsUnknown() {
        assertThat(HumanDuration.since("", Instant.EPOCH)).isEqualTo("<unknown>");
    }
}
