package dev.berth.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Processes that a test starts beside itself, such as some that are to be killed. None outlives the test or the JVM. */
public final class Companions implements AutoCloseable {
    private final Guard guard;
    private final Deque<GuardedProcess> started = new ArrayDeque<>();

    private Companions(Guard guard) {
        this.guard = guard;
    }

    public static Companions open() {
        try {
            return new Companions(new Guard(Files.createTempDirectory("berth-companions")));
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder for processes", e);
        }
    }

    /**
     * Starts one.
     *
     * @param name of the program and of its log
     */
    public GuardedProcess start(String name, List<String> command) {
        GuardedProcess process = GuardedProcess.start(name, command, guard);
        started.push(process);
        return process;
    }

    /** Kills those that still run, and removes what they logged. */
    @Override
    public void close() {
        while (!started.isEmpty()) {
            started.pop().close();
        }
        guard.close();
        Folders.remove(guard.home());
    }
}
