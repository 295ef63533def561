package dev.berth.engine;

import java.time.Duration;

/** Whether this process may promise anything. */
@FunctionalInterface
public interface Leadership {
    /** For a process that is alone by construction. */
    Leadership ALWAYS = write -> true;

    /** Whether this process is the leader now and surely still will be when a write that takes so long has ended. */
    boolean covers(Duration write);
}
