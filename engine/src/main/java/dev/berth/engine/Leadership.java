package dev.berth.engine;

import java.time.Duration;

/** Whether this process may write. */
@FunctionalInterface
public interface Leadership {
    /** For a process without replicas. */
    Leadership ALWAYS = write -> true;

    /** Whether this process is the leader, and surely still is when a write that takes so long ends. */
    boolean covers(Duration write);
}
