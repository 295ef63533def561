package dev.berth.app.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what a command started, in reverse order, once: when the command ends, or when the process is stopped (Ctrl-C,
 * SIGTERM). The JVM does not exit before that is done.
 */
public final class Shutdown implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private final Runnable onStopped;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    // Guarded by this.
    private boolean closed;
    private final CompletableFuture<Integer> stopRequest = new CompletableFuture<>();
    private final Thread hook = new Thread(this::onStopRequested, "berth-shutdown");

    public Shutdown() {
        this(() -> {});
    }

    /** @param stopped runs after the process was stopped and everything is closed */
    public Shutdown(Runnable stopped) {
        this.onStopped = stopped;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Closes the part when the command ends.
     *
     * @throws UserError if the process was stopped before: then the part is closed already
     */
    public synchronized <T extends AutoCloseable> T register(T part) {
        if (closed) {
            close(part);
            throw UserError.failed("Berth was stopped while it was starting");
        }
        parts.push(part);
        return part;
    }

    /**
     * Waits for Ctrl-C or for a failure.
     *
     * @param broken completes with the reason if a part cannot work any more
     */
    public int await(CompletableFuture<Throwable> broken) throws InterruptedException {
        try {
            if (CompletableFuture.anyOf(stopRequest, broken).get() instanceof Throwable why) {
                if (why instanceof UserError userError) {
                    throw userError;
                }
                throw UserError.failed("Berth is stopping: %s".formatted(why.getMessage()), why);
            }
            return ExitCode.OK;
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        }
    }

    /** The shutdown hook. It must not return before everything is closed, because the JVM would exit. */
    private void onStopRequested() {
        stopRequest.complete(ExitCode.OK);
        closeAll();
        onStopped.run();
        // The JVM would exit with 130 or 143: the caller gets 0 for a regular stop.
        Runtime.getRuntime().halt(ExitCode.OK);
    }

    @Override
    public void close() {
        closeAll();
        if (stopRequest.isDone()) {
            // The hook runs already, and decides the exit code.
            return;
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            LOG.debug("the process is exiting already", exiting);
        }
    }

    /** Synchronized as a whole: the hook must not return, and so end the JVM, while the command's thread is closing. */
    private synchronized void closeAll() {
        closed = true;
        while (!parts.isEmpty()) {
            close(parts.pop());
        }
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception broken) {
            LOG.warn("{} did not end cleanly: {}", part.getClass().getSimpleName(), broken.toString());
        }
    }
}
