package dev.berth.bench;

import java.util.Locale;

/** Shows the progress on standard error: in one line on a terminal, else a line from time to time. */
public final class ProgressLine {
    private static final long LINE_INTERVAL_NANOS = 10_000_000_000L;

    private final long start = System.nanoTime();
    /** {@code bench/run} knows where standard error goes. */
    private final boolean terminal = Boolean.getBoolean("berth.terminal");

    private String activity = "";
    private long lastLine;

    /** A new step begins. */
    public void begin(String name) {
        activity = name;
        lastLine = System.nanoTime();
        write("");
    }

    public void update(String status) {
        if (terminal || System.nanoTime() - lastLine > LINE_INTERVAL_NANOS) {
            lastLine = System.nanoTime();
            write(", " + status);
        }
    }

    public void end() {
        if (terminal) {
            System.err.print("\r\033[K");
        }
    }

    private void write(String status) {
        String line = String.format(Locale.ROOT, "%4.0f s  %s%s", (System.nanoTime() - start) / 1e9, activity, status);
        if (terminal) {
            System.err.print("\r\033[K" + line);
        } else {
            System.err.println(line);
        }
    }
}
