package dev.berth.kubernetes.schedulerconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation has everything that the file can contain. */
class PluginDocumentationTest {
    private static final Path PAGE = Path.of("..", "docs", "scheduler-configuration.md");

    @Test
    void everyPluginIsDocumented() throws IOException {
        assertThat(Files.readString(PAGE))
                .contains(Stream.of(KubeSchedulerPlugin.values())
                        .map(plugin -> "`%s`".formatted(plugin.pluginName))
                        .toList());
    }

    @Test
    void everyKeyAndArgumentIsDocumented() throws IOException {
        List<String> keys = Stream.concat(
                        KubeSchedulerConfiguration.keys().stream(),
                        Stream.of(KubeSchedulerPlugin.values())
                                .flatMap(plugin -> ProfileReader.argumentKeys(plugin).stream()))
                .filter(key -> !key.equals("leaderElection"))
                .map("`%s`"::formatted)
                .toList();
        assertThat(Files.readString(PAGE)).contains(keys);
    }
}
