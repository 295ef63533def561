package dev.berth.kubernetes.schedulerconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever can be in the file is on the page that users read. */
class EveryPluginTest {
    private static final Path PAGE = Path.of("..", "docs", "scheduler-configuration.md");

    @Test
    void thePageSaysWhatBecomesOfEveryPlugin() throws IOException {
        assertThat(Files.readString(PAGE))
                .contains(Stream.of(Plugin.values())
                        .map(plugin -> "`%s`".formatted(plugin.title))
                        .toList());
    }

    @Test
    void thePageSaysWhatBecomesOfEveryKeyAndArgument() throws IOException {
        List<String> keys = Stream.concat(
                        SchedulerConfiguration.keys().stream(),
                        Stream.of(Plugin.values()).flatMap(plugin -> ProfileReader.argumentsOf(plugin).stream()))
                .filter(key -> !key.equals("leaderElection"))
                .map("`%s`"::formatted)
                .toList();
        assertThat(Files.readString(PAGE)).contains(keys);
    }
}
