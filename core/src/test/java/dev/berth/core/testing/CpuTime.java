package dev.berth.core.testing;

import java.lang.management.ManagementFactory;

/**
 * Measures work by the CPU time of the current thread, for work that allocates too little for {@link AllocatedBytes}. Other
 * programs on the machine matter little to it; a test compares a small and a large load, with a generous factor.
 */
public final class CpuTime {
    private CpuTime() {}

    /** The least that the work took, out of several runs, in nanoseconds. */
    public static long minimum(int runs, Runnable work) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < runs; i++) {
            long before = now();
            work.run();
            least = Math.min(least, now() - before);
        }
        return least;
    }

    private static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
