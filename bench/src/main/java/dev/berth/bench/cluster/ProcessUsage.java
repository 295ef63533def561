package dev.berth.bench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The resource usage of a process, as Linux counts it. */
final class ProcessUsage {
    /** Linux reports hundredths of a second to programs, independent of its internal unit. */
    private static final double MILLIS_A_TICK = 10;

    /** The fields after the program's name, which is in brackets and may contain blanks. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;

    private ProcessUsage() {}

    /** The CPU time of all its threads in milliseconds, including ended threads. */
    static double cpuMillis(long pid) {
        String stat = read(pid, "stat");
        List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
        return (Long.parseLong(fields.get(USER_TICKS)) + Long.parseLong(fields.get(SYSTEM_TICKS))) * MILLIS_A_TICK;
    }

    /** The peak memory. */
    static double peakMegabytes(long pid) {
        return read(pid, "status")
                .lines()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("process (%d) has no VmHWM".formatted(pid)));
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file));
        } catch (IOException e) {
            throw new UncheckedIOException("process (%d) cannot be looked at".formatted(pid), e);
        }
    }
}
