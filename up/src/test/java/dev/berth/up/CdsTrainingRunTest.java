package dev.berth.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CdsTrainingRunTest {
    /** It places pods and gives up after a minute where it cannot, so that it ends in any case. */
    private static final int PATIENCE_SECONDS = 180;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void theTrainingRunExitsOncePodsRun() throws IOException, InterruptedException {
        Path kubeconfig = folder.resolve("kubeconfig");
        List<String> run = new ArrayList<>(java("dev.berth.app.Main"));
        run.addAll(List.of("run", "--kubeconfig", kubeconfig.toString()));
        assertThat(train(kubeconfig, run)).isZero();
    }

    @Test
    void theTrainingRunFailsIfBerthRunDoesNotStart() throws IOException, InterruptedException {
        assertThat(train(folder.resolve("kubeconfig"), List.of("false"))).isNotZero();
    }

    private int train(Path kubeconfig, List<String> run) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(java("dev.berth.up.CdsTrainingRun"));
        command.add(kubeconfig.toString());
        command.addAll(run);
        Path said = folder.resolve("said.txt");
        Process trainingRun = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(trainingRun.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as(Files.readString(said))
                    .isTrue();
            return trainingRun.exitValue();
        } finally {
            trainingRun.destroyForcibly();
        }
    }

    private static List<String> java(String main) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                main);
    }
}
