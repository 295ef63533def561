package dev.berth.sandbox.apiextensions.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GoPatternAndFormatsTest {

    @ParameterizedTest
    @ValueSource(strings = {"(", "(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(?>a)", "(a)\\1", "a++", "[a"})
    void syntaxThatGoDoesNotSupportIsRejected(String pattern) {
        assertThat(GoPattern.compile(pattern)).isEmpty();
        assertThat(GoPattern.errorMessage(pattern)).startsWith("error parsing regexp: ");
    }

    @ParameterizedTest
    @CsvSource({
        "^[a-z]+$, abc, true",
        "^[a-z]+$, abC, false",
        "b, abc, true",
        "(?P<word>a+), xaay, true",
        "^[[:alpha:]]+$, aZ, true",
        "^[[:digit:]]+$, 12a, false",
        "(?i)^ABC$, abc, true",
        "^\\d+$, 12, true",
        "^[$]$, $, true",
        "^a\\$$, a$, true",
        "^\\pL+$, grün, true"
    })
    void aPatternMayMatchAnywhere(String pattern, String text, boolean matches) {
        assertThat(GoPattern.compile(pattern).orElseThrow().matches(text)).isEqualTo(matches);
    }

    @Test
    void aDollarMatchesOnlyTheVeryEnd() {
        assertThat(GoPattern.compile("^a$").orElseThrow().matches("a\n")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "date, 2026-02-28, true",
        "date, 2026-02-30, false",
        "date-time, 2026-01-01T00:00:00Z, true",
        "date-time, 2026-01-01t00:00:00.5+01:00, true",
        "date-time, 2026-01-01, false",
        "duration, 1h30m, true",
        "duration, 5 days, true",
        "duration, -1.5h, true",
        "duration, 5, false",
        "ipv4, 1.2.3.4, true",
        "ipv6, ::1, true",
        "ipv6, 1.2.3.4, false",
        "cidr, 10.0.0.0/8, true",
        "cidr, 10.0.0.0/40, false",
        "mac, 00:11:22:33:44:55, true",
        "uuid, 0b1e0d9a-3f0c-4a2f-9c55-5c1f0f5f3c11, true",
        "uuid4, 0b1e0d9a-3f0c-1a2f-9c55-5c1f0f5f3c11, false",
        "byte, YQ==, true",
        "byte, YQ=, false",
        "email, a@b.c, true",
        "email, Some One <a@b.c>, true",
        "uri, https://example.com/a?b, true",
        "uri, a/b, false",
        "hostname, example.com, true",
        "hostname, -a, false",
        "hexcolor, #fff, true",
        "k8s-short-name, a-b, true",
        "k8s-short-name, a.b, false",
        "k8s-long-name, a.b, true",
        "nobody-knows, anything, true"
    })
    void aFormatIsValidated(String format, String text, boolean good) {
        assertThat(Formats.matches(format, text)).isEqualTo(good);
    }

    @Test
    void aFormatIsIgnoredForOtherTypes() {
        assertThat(Formats.supported("string", "date-time")).isEqualTo("date-time");
        assertThat(Formats.supported("string", "nobody-knows")).isEmpty();
        assertThat(Formats.supported("integer", "int32")).isEqualTo("int32");
        assertThat(Formats.supported("integer", "date")).isEmpty();
        assertThat(Formats.supported("object", "date")).isEmpty();
    }
}
