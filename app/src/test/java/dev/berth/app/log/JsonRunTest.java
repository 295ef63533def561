package dev.berth.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.app.run.BerthProcess;
import dev.berth.app.up.LocalCluster;
import dev.berth.app.up.NodeSize;
import dev.berth.testkit.contract.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All that a run says to machines, from its first line to its last. */
@Timeout(180)
class JsonRunTest {
    private static final String CONFIG = """
            schedulerNames: [json-scheduler]
            operation: {port: 0}
            """;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void everyLineIsAnEntryAndNoneHasTheToken() throws Exception {
        try (LocalCluster.Running cluster =
                LocalCluster.start(LocalCluster.Plan.of(1, new NodeSize("8", "32Gi", 110)), InstantSource.system())) {
            Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig());
            Path log = folder.resolve("log");
            Process berth = start(kubeconfig, Files.writeString(folder.resolve("config"), CONFIG), log);
            try {
                Eventually.holds(() -> assertThat(read(log)).contains("Berth is at work"));
            } finally {
                berth.destroy();
            }
            assertThat(berth.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(entries(log)).hasSizeGreaterThan(4).allMatch(entry -> entry.hasNonNull("message"));
            assertThat(read(log)).doesNotContain(cluster.server().token());
        }
    }

    @Test
    void aFailureIsAnEntryToo() throws Exception {
        Path log = folder.resolve("log");
        Path missing = folder.resolve("no-kubeconfig");
        Process berth = start(missing, Files.writeString(folder.resolve("config"), CONFIG), log);
        assertThat(berth.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(berth.exitValue()).isEqualTo(2);
        assertThat(entries(log))
                .singleElement()
                .matches(entry -> entry.path("level").asText().equals("error"))
                .matches(entry -> entry.path("message").asText().contains("no-kubeconfig"));
    }

    private static Process start(Path kubeconfig, Path config, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(BerthProcess.command(kubeconfig, config))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("BERTH_LOG", "trace");
        builder.environment().put("BERTH_LOG_FORMAT", "json");
        return builder.start();
    }

    private static List<JsonNode> entries(Path log) {
        return read(log).lines().map(JsonRunTest::entry).toList();
    }

    private static JsonNode entry(String line) {
        try {
            return new ObjectMapper().readTree(line);
        } catch (IOException malformed) {
            throw new AssertionError("no JSON: " + line, malformed);
        }
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
