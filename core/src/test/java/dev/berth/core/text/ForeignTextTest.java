package dev.berth.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForeignTextTest {
    @Test
    void aShortTextStaysAsItIs() {
        assertThat(ForeignText.truncate("abcde", 5)).isEqualTo("abcde");
        assertThat(ForeignText.truncateToFit("abcde", 5)).isEqualTo("abcde");
    }

    @Test
    void ofALongTextTheBeginningIsShown() {
        assertThat(ForeignText.truncate("abcdef", 5)).isEqualTo("abcde...");
        assertThat(ForeignText.truncateToFit("abcdef", 5)).isEqualTo("ab...");
    }
}
