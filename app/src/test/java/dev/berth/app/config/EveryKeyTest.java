package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No key is forgotten: each is in the table that users read, and each refuses nonsense in words. */
class EveryKeyTest {
    private static final Path PAGE = Path.of("..", "docs", "running.md");
    private static final Pattern KEY = Pattern.compile("`([^`]+)`");

    static Stream<String> keys() {
        return ConfigKeys.all().stream();
    }

    @Test
    void theTableOfSettingsHasEveryKeyAndNoOther() throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("## Settings");
        NavigableSet<String> documented = new TreeSet<>();
        page.substring(start, page.indexOf("\n## ", start))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .forEach(line -> {
                    Matcher key = KEY.matcher(line.substring(0, line.indexOf('|', 1)));
                    while (key.find()) {
                        documented.add(key.group(1));
                    }
                });
        assertThat(documented).isEqualTo(ConfigKeys.all());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void nonsenseIsNamedWithItsKeyAndWhatWouldBeRight(String key) {
        int dot = key.indexOf('.');
        String text = dot < 0
                ? "%s: {nonsense: 1}".formatted(key)
                : "%s: {%s: {nonsense: 1}}".formatted(key.substring(0, dot), key.substring(dot + 1));
        assertThatThrownBy(() -> ConfigFile.parse(text, Path.of("berth.yaml")))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("berth.yaml: " + key + " (")
                .hasMessageContaining("nonsense")
                .hasMessageContaining(") must be ");
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aKeyThatSaysNothingMeansTheDefault(String key) {
        int dot = key.indexOf('.');
        String text = dot < 0
                ? "%s:".formatted(key)
                : "%s: {%s: null}".formatted(key.substring(0, dot), key.substring(dot + 1));
        assertThat(ConfigFile.parse(text, Path.of("berth.yaml")).config()).isEqualTo(Config.DEFAULT);
    }
}
