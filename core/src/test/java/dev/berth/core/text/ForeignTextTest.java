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

    @Test
    void aCharacterOfTwoSurrogatesIsNotSplit() {
        assertThat(ForeignText.truncate("abcd\uD83D\uDE00f", 5)).isEqualTo("abcd...");
        assertThat(ForeignText.truncate("abc\uD83D\uDE00f", 5)).isEqualTo("abc\uD83D\uDE00...");
    }

    @Test
    void aQuotationHasAtMost200Characters() {
        assertThat(ForeignText.quote("x".repeat(200))).isEqualTo("x".repeat(200));
        assertThat(ForeignText.quote("x".repeat(201))).isEqualTo("x".repeat(200) + "...");
    }
}
