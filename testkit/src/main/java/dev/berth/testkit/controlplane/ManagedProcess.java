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

/** A child process under a {@link ProcessReaper}: it cannot outlive this JVM, not even when that is killed. */
public final class ManagedProcess implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ManagedProcess.class);

    // Nothing runs before the guard knows of it; then the program takes the shell's place, so that its
    // pid is the one Java knows.
    private static final String START_SCRIPT = "read -r go || exit 0; exec \"$@\" </dev/null";

    // As Kubernetes' programs log it: a letter for the level, then month and day.
    private static final Pattern INFO_LINE = Pattern.compile("^I\\d{4} ");

    private final String name;
    private final Process process;
    private final Path logFile;
    private final CompletableFuture<Void> unregistered;

    private ManagedProcess(String name, Process process, Path log, ProcessReaper processReaper) {
        this.name = name;
        this.process = process;
        this.logFile = log;
        this.unregistered = process.onExit().thenAccept(ended -> processReaper.forget(ended.pid()));
    }

    /** Starts a program that logs to {@code <name>.log} in the guard's folder, after what is there already. */
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

    /** Waits for the process to end, for so long at most; says whether it has. */
    public boolean waitForExit(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for (%s) to end".formatted(name), e);
        }
    }

    /** With what it ended; it must have. */
    public int exitCode() {
        return process.exitValue();
    }

    /** Halts the process where it stands (SIGSTOP): its connections stay open and silent. */
    public void pause() {
        signal("STOP");
    }

    /** Lets a paused process go on (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    /** Asks the process to end (SIGTERM), and kills it when it takes longer than this. */
    public void stop(Duration patience) {
        process.destroy();
        if (!waitForExit(patience)) {
            close();
        }
    }

    /** All it logged so far. */
    public String readLog() {
        try {
            return Files.readString(logFile, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the log (%s) of (%s) cannot be read".formatted(logFile, name), e);
        }
    }

    /** The last lines it logged that are more than information, for a message about a failure. */
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

    /** Kills the process and waits until it is gone; what it would have saved is lost, as in a crash. */
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
            // The shell's own kill: a plain Debian need not have another.
            Process kill = new ProcessBuilder("sh", "-c", "kill -%s %d".formatted(signal, pid()))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("SIG%s did not reach (%s): %s".formatted(signal, name, said));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("SIG%s could not be sent to (%s)".formatted(signal, name), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while (%s) got SIG%s".formatted(name, signal), e);
        }
    }
}
