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
final class ManagedProcessTest {

    private static final List<String> FOREVER = List.of("sh", "-c", "echo here I am; exec sleep 1000");

    @TempDir
    private Path home;

    /** A JVM of its own that starts a guarded process, says its pid and waits to be killed. */
    static final class Parent {

        private Parent() {}

        public static void main(String[] arguments) throws IOException {
            ProcessReaper processReaper = new ProcessReaper(Path.of(arguments[0]));
            ManagedProcess child = ManagedProcess.start("child", FOREVER, processReaper);
            System.out.println(
                    "%d %d".formatted(child.pid(), processReaper.shell().pid()));
            System.out.flush();
            System.exit(System.in.read());
        }
    }

    @Test
    void aChildIsKilledAndCleanedUpWhenItsJvmIsKilled() throws Exception {
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
    void aClosedReaperKeepsTheFolder() {
        ProcessReaper processReaper = new ProcessReaper(home);
        ManagedProcess.start("child", FOREVER, processReaper).close();

        processReaper.close();

        assertThat(processReaper.shell().isAlive()).isFalse();
        assertThat(home).exists();
    }

    @Test
    void theLogIsKeptAfterTheProcessExits() {
        try (ProcessReaper processReaper = new ProcessReaper(home)) {
            List<String> command = List.of("sh", "-c", "echo hello; echo farewell; read -r nothing; exit 4");
            ManagedProcess process = ManagedProcess.start("child", command, processReaper);

            assertThat(process.waitForExit(Duration.ofSeconds(20))).isTrue();

            assertThat(process.logTail(1)).isEqualTo("farewell");
        }
    }

    @Test
    void aPausedProcessIgnoresARequestToEndAndIsKilled() {
        try (ProcessReaper processReaper = new ProcessReaper(home);
                ManagedProcess process = ManagedProcess.start("child", FOREVER, processReaper)) {
            process.pause();
            process.stop(Duration.ofMillis(200));

            assertThat(process.isAlive()).isFalse();
        }
    }

    @Test
    void aResumedProcessHandlesTheStopRequest() {
        try (ProcessReaper processReaper = new ProcessReaper(home);
                ManagedProcess process = ManagedProcess.start("child", FOREVER, processReaper)) {
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
