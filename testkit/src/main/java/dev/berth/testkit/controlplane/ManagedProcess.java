package dev.berth.testkit.controlplane;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A child process under a {@link ProcessReaper}: it cannot outlive this JVM, even if the JVM is killed. */
public final class ManagedProcess implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ManagedProcess.class);

    // The program starts only after the reaper knows the process. It replaces the shell by exec, so that Java knows its
    // pid.
    private static final String START_SCRIPT = "read -r go || exit 0; exec \"$@\" </dev/null";

    // The log format of Kubernetes: a letter for the level, then month and day.
    private static final Pattern INFO_LINE = Pattern.compile("^I\\d{4} ");

    private final String name;
    private final Process process;
    private final Path logFile;
    private final CompletableFuture<Void> unregistered;

    private ManagedProcess(String name, Process process, Path log, ProcessReaper processReaper) {
        this.name = name;
        this.process = process;
        this.logFile = log;
        this.unregistered = process.onExit().thenAccept(ended -> processReaper.remove(ended.pid()));
    }

    /** Starts a program that appends its log to {@code <name>.log} in the reaper's folder. */
    static ManagedProcess start(String name, List<String> command, ProcessReaper processReaper) {
        Path log = processReaper.folder().resolve(name + ".log");
        List<String> words = new ArrayList<>(List.of("sh", "-c", START_SCRIPT, name));
        words.addAll(command);
        LOG.debug("starting {}: {}", name, command);
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(processReaper.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            Process process = builder.start();
            processReaper.watch(process.pid());
            try (OutputStream go = process.getOutputStream()) {
                go.write('\n');
            }
            return new ManagedProcess(name, process, log, processReaper);
        } catch (IOException e) {
            throw new UncheckedIOException("(%s) could not be started by (%s)".formatted(name, command), e);
        }
    }

    public String name() {
        return name;
    }

    public Path logFile() {
        return logFile;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the end of the process up to the timeout. Returns whether it has ended. */
    public boolean waitForExit(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for (%s) to end".formatted(name), e);
        }
    }

    /** The exit code; the process must have ended. */
    public int exitCode() {
        return process.exitValue();
    }

    /** Stops the process (SIGSTOP): its connections stay open and silent. */
    public void pause() {
        signal("STOP");
    }

    /** Continues a stopped process (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    /** Asks the process to end (SIGTERM), and kills it after the timeout. */
    public void stop(Duration patience) {
        process.destroy();
        if (!waitForExit(patience)) {
            close();
        }
    }

    /** The whole log so far. */
    public String readLog() {
        try {
            return Files.readString(logFile, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the log (%s) of (%s) cannot be read".formatted(logFile, name), e);
        }
    }

    /** The last log lines above the level info, for error messages. */
    public String logTail(int lines) {
        try {
            List<String> all = Files.readString(logFile, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !INFO_LINE.matcher(line).find())
                    .toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException e) {
            return "(its log %s cannot be read: %s)".formatted(logFile, e.getMessage());
        }
    }

    /** Kills the process and waits for its end; unsaved data is lost, as in a crash. */
    @Override
    public void close() {
        process.destroyForcibly();
        if (!waitForExit(Duration.ofSeconds(10))) {
            throw new IllegalStateException("(%s), pid (%d), survives being killed".formatted(name, pid()));
        }
        unregistered.join();
    }

    private void signal(String signal) {
        try {
            // The shell's built-in kill: a minimal Debian has no other.
            Process kill = new ProcessBuilder("sh", "-c", "kill -%s %d".formatted(signal, pid()))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("SIG%s did not reach (%s): %s".formatted(signal, name, output));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("SIG%s could not be sent to (%s)".formatted(signal, name), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while (%s) got SIG%s".formatted(name, signal), e);
        }
    }
}
