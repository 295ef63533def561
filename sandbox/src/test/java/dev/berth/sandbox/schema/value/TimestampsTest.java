package dev.berth.sandbox.schema.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.testing.RandomHistories;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimestampsTest {

    @RandomHistories(count = 2, first = 7)
    void aTimeWithAFourDigitYearSurvivesARoundTrip(long seed) {
        Random random = new Random(seed);
        long first = Timestamps.ZERO.getEpochSecond();
        long last = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
        for (int i = 0; i < 5_000; i++) {
            Instant time = Instant.ofEpochSecond(random.nextLong(first, last), 1000L * random.nextInt(1_000_000));
            Instant seconds = Instant.ofEpochSecond(time.getEpochSecond());
            assertThat(Timestamps.formatSeconds(seconds)).isEqualTo(seconds.toString());
            assertThat(Timestamps.parseSeconds(Timestamps.formatSeconds(seconds)))
                    .isEqualTo(seconds);
            assertThat(Timestamps.parseMicros(Timestamps.formatMicros(time))).isEqualTo(time);
        }
    }

    @Test
    void anOffsetIsConvertedToUtcAndAFractionOfASecondIsDropped() {
        assertThat(Timestamps.parseSeconds("2020-01-01T01:02:03.987+02:00"))
                .isEqualTo(Instant.parse("2019-12-31T23:02:03Z"));
        assertThat(Timestamps.parseMicros("2020-01-01T01:02:03.000001-01:30"))
                .isEqualTo(Instant.parse("2020-01-01T02:32:03.000001Z"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yesterday | cannot parse \"yesterday\" as \"2006\"",
                "2020-13-01T00:00:00Z | month out of range",
                "2021-02-29T00:00:00Z | day out of range",
                "2020-01-01 00:00:00Z | cannot parse \" 00:00:00Z\" as \"T\"",
                "2020-01-01T24:00:00Z | hour out of range",
                "2020-01-01T00:00:00 | cannot parse \"\" as \"Z07:00\"",
                "2020-01-01T00:00:00Zx | extra text: \"x\"",
                "2020-01-01T00:00:00+2:00 | cannot parse \"+2:00\" as \"Z07:00\""
            })
    void anInvalidTimeIsRejectedWithTheInvalidPart(String text, String why) {
        assertThatThrownBy(() -> Timestamps.parseSeconds(text)).hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2020-01-01T01:02:03+02:00 | cannot parse \"+02:00\" as \".000000\"",
                "2020-01-01T01:02:03.1234567Z | cannot parse \"7Z\" as \"Z07:00\""
            })
    void aMicroTimeMustHaveExactlySixFractionDigits(String text, String why) {
        assertThatThrownBy(() -> Timestamps.parseMicros(text)).hasMessageContaining(why);
    }
}
