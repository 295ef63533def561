package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The two folders of libraries that {@code ./berth} has on its class path, as {@code mvn package} writes them. */
class DistributionTest {
    private static final Path RUN = Path.of("../app/target/berth/lib");
    private static final Path UP = Path.of("../up/target/berth/lib");
    private static final String SANDBOX = "dev/berth/sandbox/SandboxApiServer.class";
    private static final long TIMEOUT_SECONDS = 180;

    @Test
    void onlyUpHasTheSandboxOnItsClassPath() throws IOException {
        assertThat(jarsWith(RUN, SANDBOX)).isEmpty();
        assertThat(jarsWith(UP, SANDBOX)).hasSize(1);
        assertThat(jarsWith(RUN, "dev/berth/app/Main.class")).hasSize(1);
    }

    /** Each of the two places pods, with its own libraries alone. */
    @Test
    void upAndRunPlacePodsWithTheirOwnLibraries(@TempDir Path folder) throws IOException, InterruptedException {
        Path kubeconfig = folder.resolve("kubeconfig");
        List<String> command = new ArrayList<>(java(UP, "dev.berth.up.CdsTrainingRun"));
        command.add(kubeconfig.toString());
        command.addAll(java(RUN, "dev.berth.app.Main"));
        command.addAll(List.of("run", "--kubeconfig", kubeconfig.toString()));
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .as(Files.readString(output))
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> java(Path libraries, String main) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx512m",
                "-cp",
                libraries + "/*",
                main);
    }

    private static List<Path> jarsWith(Path libraries, String entry) throws IOException {
        try (Stream<Path> jars = Files.list(libraries)) {
            return jars.filter(jar -> hasEntry(jar, entry)).toList();
        }
    }

    private static boolean hasEntry(Path jar, String entry) {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.getEntry(entry) != null;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
