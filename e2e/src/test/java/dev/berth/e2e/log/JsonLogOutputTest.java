package dev.berth.e2e.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.run.BerthProcess;
import dev.berth.testkit.contract.Eventually;
import dev.berth.up.LocalCluster;
import dev.berth.up.NodeSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All that a run says to machines, from its first line to its last. */
@Timeout(180)
class JsonLogOutputTest {
    private static final String CONFIG = """
            schedulerNames: [json-scheduler]
            diagnostics: {port: 0}
            """;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void everyLineIsJsonAndNoneContainsTheToken() throws Exception {
        try (LocalCluster.Running cluster = LocalCluster.start(
                LocalCluster.Options.of(1, new NodeSize("8", "32Gi", 110)), InstantSource.system())) {
            cluster.berth().close();
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
            assertThat(entries(log))
                    .last()
                    .matches(entry -> entry.path("message").asText().equals("Berth stopped on request"));
        }
    }

    @Test
    void aStartupFailureIsLoggedAsJson() throws Exception {
        Path log = folder.resolve("log");
        Path missing = folder.resolve("no-kubeconfig");
        Process berth = start(missing, Files.writeString(folder.resolve("config"), CONFIG), log);
        end(berth);
        assertThat(entries(log))
                .singleElement()
                .matches(entry -> entry.path("level").asText().equals("error"))
                .matches(entry -> entry.path("message").asText().contains("no-kubeconfig"));
    }

    @Test
    void aFailureIsLoggedEvenIfLoggingIsOff() throws Exception {
        Path log = folder.resolve("log");
        Path missing = folder.resolve("no-kubeconfig");
        Path config = Files.writeString(folder.resolve("config"), CONFIG);
        end(start(BerthProcess.command(missing, config), "off", log));
        assertThat(entries(log))
                .singleElement()
                .matches(entry -> entry.path("message").asText().contains("no-kubeconfig"));
    }

    @Test
    void aUsageErrorIsLoggedAsJson() throws Exception {
        Path log = folder.resolve("log");
        List<String> misused = new ArrayList<>(BerthProcess.command(folder, folder));
        misused.add("--kubconfig");
        end(start(misused, "off", log));
        assertThat(entries(log))
                .extracting(entry -> entry.path("level").asText())
                .startsWith("error", "info");
        assertThat(read(log)).contains("unknown option (--kubconfig) of berth run", "Maybe: berth run --help");
    }

    @Test
    void anInvalidLogLevelIsLoggedAsJson() throws Exception {
        Path log = folder.resolve("log");
        end(start(BerthProcess.command(folder, folder), "loud", log));
        assertThat(entries(log))
                .singleElement()
                .matches(entry -> entry.path("message").asText().startsWith("BERTH_LOG_LEVEL (loud) must be one of"));
    }

    private static void end(Process berth) throws InterruptedException {
        assertThat(berth.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(berth.exitValue()).isEqualTo(2);
    }

    private static Process start(Path kubeconfig, Path config, Path log) throws IOException {
        return start(BerthProcess.command(kubeconfig, config), "trace", log);
    }

    private static Process start(List<String> command, String level, Path log) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("BERTH_LOG_LEVEL", level);
        builder.environment().put("BERTH_LOG_FORMAT", "json");
        return builder.start();
    }

    private static List<JsonNode> entries(Path log) {
        return read(log).lines().map(JsonLogOutputTest::entry).toList();
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
