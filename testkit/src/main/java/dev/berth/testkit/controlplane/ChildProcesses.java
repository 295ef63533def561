package dev.berth.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Processes that a test starts, for example to kill them. None outlives the test or the JVM. */
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
     * Starts a process.
     *
     * @param name of the program and of its log
     */
    public ManagedProcess start(String name, List<String> command) {
        ManagedProcess process = ManagedProcess.start(name, command, processReaper);
        started.push(process);
        return process;
    }

    /** Kills the running processes, and deletes their logs. */
    @Override
    public void close() {
        while (!started.isEmpty()) {
            started.pop().close();
        }
        processReaper.close();
        TempFolders.deleteRecursively(processReaper.folder());
    }
}
