package dev.berth.bench;

import java.util.Locale;

/** Tells on standard error what is under way: over and over in one line on a terminal, else a line now and then. */
public final class Progress {
    private static final long SELDOM_NANOS = 10_000_000_000L;

    private final long start = System.nanoTime();
    /** {@code bench/run} knows where standard error goes. */
    private final boolean terminal = Boolean.getBoolean("berth.terminal");

    private String doing = "";
    private long lastLine;

    /** Something new has begun. */
    public void begin(String what) {
        doing = what;
        lastLine = System.nanoTime();
        write("");
    }

    public void at(String howFar) {
        if (terminal || System.nanoTime() - lastLine > SELDOM_NANOS) {
            lastLine = System.nanoTime();
            write(", " + howFar);
        }
    }

    public void end() {
        if (terminal) {
            System.err.print("\r\033[K");
        }
    }

    private void write(String howFar) {
        String line = String.format(Locale.ROOT, "%4.0f s  %s%s", (System.nanoTime() - start) / 1e9, doing, howFar);
        if (terminal) {
            System.err.print("\r\033[K" + line);
        } else {
            System.err.println(line);
        }
    }
}
