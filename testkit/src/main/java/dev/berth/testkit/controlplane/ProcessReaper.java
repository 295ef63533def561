package dev.berth.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small shell that kills all child processes when this JVM ends, even if the JVM is killed. It receives their pids
 * over a pipe that only this JVM holds open. When the pipe breaks, it kills them and deletes their home folder.
 * PR_SET_PDEATHSIG does not work here: it fires when the forking thread ends, and Java's threads come and go.
 */
final class ProcessReaper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessReaper.class);

    // The final wait is limited: a dead child that is not reaped stays visible.
    private static final String SCRIPT = """
            trap '' INT HUP TERM
            pids=' '
            while read -r word pid; do
              case $word in
                watch) pids="$pids$pid " ;;
                forget) pids="${pids%% $pid *} ${pids#* $pid }" ;;
                done) exit 0 ;;
              esac
            done
            for pid in $pids; do kill -KILL "$pid"; done
            tries=0
            for pid in $pids; do
              while kill -0 "$pid" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
            done
            rm -rf "$1"
            """;

    private final Path folder;
    private final Process shell;
    private final Writer pipe;

    ProcessReaper(Path home) {
        this.folder = home;
        try {
            shell = new ProcessBuilder("sh", "-c", SCRIPT, "guard", home.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("no guard could be started for (%s)".formatted(home), e);
        }
        pipe = shell.outputWriter();
    }

    Path folder() {
        return folder;
    }

    ProcessHandle shell() {
        return shell.toHandle();
    }

    void watch(long pid) {
        try {
            send("watch " + pid);
        } catch (IOException e) {
            throw new UncheckedIOException("the guard of (%s) is gone".formatted(folder), e);
        }
    }

    void remove(long pid) {
        try {
            send("forget " + pid);
        } catch (IOException e) {
            LOG.debug("the guard of {} is gone already", folder, e);
        }
    }

    private void send(String line) throws IOException {
        synchronized (pipe) {
            pipe.write(line + "\n");
            pipe.flush();
        }
    }

    /** Ends the reaper without killing anything. */
    @Override
    public void close() {
        try {
            send("done");
            if (!shell.waitFor(10, TimeUnit.SECONDS)) {
                shell.destroyForcibly();
            }
        } catch (IOException e) {
            LOG.debug("the guard of {} is gone already", folder, e);
        } catch (InterruptedException e) {
            shell.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
