package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.cli.UserError;
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

/** Each key is in the documented table, and each rejects invalid values with a message. */
class ConfigKeysTest {
    private static final Path PAGE = Path.of("..", "docs", "running.md");
    private static final Pattern KEY = Pattern.compile("`([^`]+)`");

    static Stream<String> keys() {
        return ConfigKeys.all().stream();
    }

    @Test
    void theDocumentedTableListsExactlyTheKnownKeys() throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("\n## Configuration");
        NavigableSet<String> documented = new TreeSet<>();
        page.substring(start, page.indexOf("\n##", start + 1))
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
    void anInvalidValueIsRejectedWithItsKeyAndTheExpectedType(String key) {
        assertThatThrownBy(() -> ConfigFile.parse(saying(key, "{nonsense: 1}"), Path.of("berth.yaml")))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("berth.yaml: " + key + " (")
                .hasMessageContaining("nonsense")
                .hasMessageContaining(") must be ");
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aNullValueMeansTheDefault(String key) {
        assertThat(ConfigFile.parse(saying(key, "null"), Path.of("berth.yaml")).config())
                .isEqualTo(Config.DEFAULT);
    }

    /** A file with this value at the path, at any depth. */
    private static String saying(String path, String value) {
        int dot = path.indexOf('.');
        return dot < 0
                ? "{%s: %s}".formatted(path, value)
                : "{%s: %s}".formatted(path.substring(0, dot), saying(path.substring(dot + 1), value));
    }
}
