package dev.berth.core.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Measures work by the memory that it allocates. The same work allocates about the same on every machine, however busy
 * the machine is, so tests can compare the cost of a small and of a large load.
 */
public final class AllocatedBytes {
    private AllocatedBytes() {}

    /** How many bytes the current thread allocates for the work. */
    public static long measure(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
