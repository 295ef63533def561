package dev.berth.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.controlplane.ControlPlaneBinaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A folder in which {@code ./berth} is this build's Berth and {@code examples} the repository's, and a shell that types
 * into it. Commands that stay, such as
 * {@code ./berth up}, are left running as in a second window, until the terminal is closed or a block begins with
 * {@code # after Ctrl-C}.
 */
final class Terminal implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 180;

    /** What a command that stays says once it is at work. */
    private static final Map<String, String> READY_MESSAGES =
            Map.of("./berth up", "Press Ctrl-C to stop it.", "./berth run", "Berth is at work");

    private final Path folder;
    private final Path kubeconfig;
    private final Deque<Process> background = new ArrayDeque<>();
    /** Where it said that it listens: its usual ports may be somebody else's here. */
    private final Map<String, String> variables = new TreeMap<>();

    private static final Map<String, Pattern> URL_PATTERNS = Map.of(
            "DIAGNOSTICS", Pattern.compile("metrics: (http://\\S+)/metrics"),
            "RESERVE", Pattern.compile("by POST (http://\\S+)/reserve"));

    Terminal(Path folder, Path kubeconfig) throws IOException {
        this.folder = folder;
        this.kubeconfig = kubeconfig;
        Files.createSymbolicLink(folder.resolve("examples"), DocsTest.REPOSITORY.resolve("examples"));
        Path berth = folder.resolve("berth");
        Files.writeString(berth, """
                #!/bin/sh
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '%s' dev.berth.up.Main "$@"
                """.formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"), System.getProperty("java.class.path")));
        Files.setPosixFilePermissions(berth, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Sets a variable that commands on pages use, for a Berth that was not started by a command here. */
    void set(String variable, String value) {
        variables.put(variable, value);
    }

    void run(String block) throws IOException, InterruptedException {
        for (Map.Entry<String, String> command : READY_MESSAGES.entrySet()) {
            if (block.startsWith(command.getKey())) {
                startInBackground(block, command.getValue());
                return;
            }
        }
        if (block.startsWith("# after Ctrl-C")) {
            close();
        }
        output(block);
    }

    /** What the commands print; they must end well. */
    String output(String block) throws IOException, InterruptedException {
        Path log = Files.createTempFile(folder, "typed", ".log");
        Process shell = start(block, log);
        boolean ended = shell.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        shell.destroyForcibly();
        assertThat(ended)
                .as("ends in time: %s%n%s", block, Files.readString(log))
                .isTrue();
        assertThat(shell.exitValue()).as("%s%n%s", block, Files.readString(log)).isZero();
        return Files.readString(log);
    }

    private void startInBackground(String block, String ready) throws IOException, InterruptedException {
        Path log = Files.createTempFile(folder, "staying", ".log");
        Process shell = start("exec " + block, log);
        background.push(shell);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!Files.readString(log).contains(ready)) {
            assertThat(shell.isAlive())
                    .as("%s%n%s", block, Files.readString(log))
                    .isTrue();
            assertThat(System.nanoTime()).as("ready in time: %s", block).isLessThan(deadline);
            shell.waitFor(50, TimeUnit.MILLISECONDS);
        }
        String said = Files.readString(log);
        URL_PATTERNS.forEach((variable, pattern) ->
                pattern.matcher(said).results().forEach(match -> variables.put(variable, match.group(1))));
    }

    private Process start(String block, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of("bash", "-euo", "pipefail", "-c", block))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        Path programs = Path.of(ControlPlaneBinaries.find().command("kubectl").get(0))
                .toAbsolutePath()
                .getParent();
        builder.environment().merge("PATH", programs + ":", (path, first) -> first + path);
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().putAll(variables);
        return builder.start();
    }

    /** As Ctrl-C would: what stayed must end by itself, and clean up. */
    @Override
    public void close() {
        while (!background.isEmpty()) {
            Process process = background.pop();
            process.destroy();
            CompletableFuture<Process> ended = process.onExit().completeOnTimeout(process, 20, TimeUnit.SECONDS);
            boolean clean = !ended.join().isAlive();
            process.destroyForcibly();
            assertThat(clean).as("ends when it is asked to").isTrue();
            assertThat(process.exitValue()).as("and says that all went well").isZero();
        }
    }
}
