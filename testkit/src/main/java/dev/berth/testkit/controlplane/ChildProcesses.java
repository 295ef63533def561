package dev.berth.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Processes that a test starts beside itself, such as some that are to be killed. None outlives the test or the JVM. */
public final class ChildProcesses implements AutoCloseable {
    private final ProcessReaper processReaper;
    private final Deque<ManagedProcess> started = new ArrayDeque<>();

    private ChildProcesses(ProcessReaper processReaper) {
        this.processReaper = processReaper;
    }

    public static ChildProcesses open() {
        try {
            return new ChildProcesses(new ProcessReaper(Files.createTempDirectory("berth-companions")));
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder for processes", e);
        }
    }

    /**
     * Starts one.
     *
     * @param name of the program and of its log
     */
    public ManagedProcess start(String name, List<String> command) {
        ManagedProcess process = ManagedProcess.start(name, command, processReaper);
        started.push(process);
        return process;
    }

    /** Kills those that still run, and removes what they logged. */
    @Override
    public void close() {
        while (!started.isEmpty()) {
            started.pop().close();
        }
        processReaper.close();
        TempFolders.deleteRecursively(processReaper.folder());
    }
}
