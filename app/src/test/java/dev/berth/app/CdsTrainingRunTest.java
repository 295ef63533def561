package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CdsTrainingRunTest {
    /** It places pods and gives up after a minute where it cannot, so that it ends in any case. */
    private static final int PATIENCE_SECONDS = 180;

    @Test
    void theTrainingRunExitsOncePodsRun(@TempDir Path folder) throws IOException, InterruptedException {
        Path said = folder.resolve("said.txt");
        Process rehearsal = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.berth.app.CdsTrainingRun",
                        folder.resolve("kubeconfig").toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(rehearsal.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as(Files.readString(said))
                    .isTrue();
            assertThat(rehearsal.exitValue()).as(Files.readString(said)).isZero();
        } finally {
            rehearsal.destroyForcibly();
        }
    }
}
