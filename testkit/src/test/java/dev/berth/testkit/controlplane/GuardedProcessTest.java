package dev.berth.testkit.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class GuardedProcessTest {

    private static final List<String> FOREVER = List.of("sh", "-c", "echo here I am; exec sleep 1000");

    @TempDir
    private Path home;

    /** A JVM of its own that starts a guarded process, says its pid and waits to be killed. */
    static final class Parent {

        private Parent() {}

        public static void main(String[] arguments) throws IOException {
            Guard guard = new Guard(Path.of(arguments[0]));
            GuardedProcess child = GuardedProcess.start("child", FOREVER, guard);
            System.out.println("%d %d".formatted(child.pid(), guard.shell().pid()));
            System.out.flush();
            System.exit(System.in.read());
        }
    }

    @Test
    void aChildEndsAndLeavesNothingWhenItsJvmIsKilled() throws Exception {
        Path childHome = Files.createDirectory(home.resolve("child"));
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parent.class.getName(),
                        childHome.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = jvm.inputReader()) {
            String pids = said.lines()
                    .filter(line -> line.matches("\\d+ \\d+"))
                    .findFirst()
                    .orElseThrow();
            ProcessHandle child = handle(pids.substring(0, pids.indexOf(' ')));
            ProcessHandle guard = handle(pids.substring(pids.indexOf(' ') + 1));

            jvm.destroyForcibly();

            child.onExit().get(20, TimeUnit.SECONDS);
            guard.onExit().get(20, TimeUnit.SECONDS);
            assertThat(childHome).doesNotExist();
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void aGuardSentAwayLeavesTheFolderAlone() {
        Guard guard = new Guard(home);
        GuardedProcess.start("child", FOREVER, guard).close();

        guard.close();

        assertThat(guard.shell().isAlive()).isFalse();
        assertThat(home).exists();
    }

    @Test
    void whatAProcessSaidIsKeptWhenItEndsByItself() {
        try (Guard guard = new Guard(home)) {
            List<String> command = List.of("sh", "-c", "echo hello; echo farewell; read -r nothing; exit 4");
            GuardedProcess process = GuardedProcess.start("child", command, guard);

            assertThat(process.endsWithin(Duration.ofSeconds(20))).isTrue();

            assertThat(process.lastWords(1)).isEqualTo("farewell");
        }
    }

    @Test
    void aPausedProcessIgnoresARequestToEndAndIsKilled() {
        try (Guard guard = new Guard(home);
                GuardedProcess process = GuardedProcess.start("child", FOREVER, guard)) {
            process.pause();
            process.stop(Duration.ofMillis(200));

            assertThat(process.isAlive()).isFalse();
        }
    }

    @Test
    void aResumedProcessHearsTheRequestToEnd() {
        try (Guard guard = new Guard(home);
                GuardedProcess process = GuardedProcess.start("child", FOREVER, guard)) {
            process.pause();
            process.resume();
            process.stop(Duration.ofSeconds(20));

            assertThat(process.isAlive()).isFalse();
        }
    }

    private static ProcessHandle handle(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }
}
