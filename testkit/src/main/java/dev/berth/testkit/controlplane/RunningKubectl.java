package dev.berth.testkit.controlplane;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A kubectl call that keeps running; its lines are read as they arrive. */
public final class RunningKubectl implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunningKubectl.class);
    private static final int TIMEOUT_SECONDS = 60;

    private final String commandLine;
    private final Process process;
    private final BlockingQueue<String> outputLines = new LinkedBlockingQueue<>();
    private final List<String> skipped = new ArrayList<>();

    RunningKubectl(List<String> command, Process process) {
        this.commandLine = String.join(" ", command);
        this.process = process;
        Thread reader = new Thread(this::read, "kubectl-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Waits for a line; the lines before it are skipped. */
    public String awaitLine(Predicate<String> wanted) {
        try {
            while (true) {
                String line = outputLines.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                if (line == null) {
                    throw new AssertionError("kubectl %s did not say the line awaited; it said:\n%s"
                            .formatted(commandLine, String.join("\n", skipped)));
                }
                skipped.add(line);
                if (wanted.test(line)) {
                    return line;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while following kubectl %s".formatted(commandLine), e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                outputLines.add(line);
            }
        } catch (IOException e) {
            LOG.debug("kubectl {} is no longer followed", commandLine, e);
        }
    }
}
