package dev.berth.app.diagnostics;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.berth.app.cli.Version;
import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics of the process, under the names that are usual for Prometheus. */
final class ProcessMetrics implements MetricsApi.MetricsCollector {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessMetrics.class);
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;
    private static final int KILO = 1024;

    @Override
    public void collect(PrometheusText to) {
        to.gauge("berth_build_info", "The version of Berth: always 1.").add(1, "version", Version.text());
        to.gauge("process_start_time_seconds", "Start time of the process, in seconds since 1970.")
                .add(ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
        system(to);
        residentBytes()
                .ifPresent(bytes -> to.gauge("process_resident_memory_bytes", "Resident memory of the process.")
                        .add(bytes));
        memory(to);
        to.gauge("jvm_threads_current", "Threads of the process.")
                .add(ManagementFactory.getThreadMXBean().getThreadCount());
        garbageCollections(to);
    }

    private static void system(PrometheusText to) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            to.counter("process_cpu_seconds_total", "CPU time of the process.").add(system.getProcessCpuTime() / NANOS);
        }
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
            to.gauge("process_open_fds", "Open files and connections.").add(unix.getOpenFileDescriptorCount());
            to.gauge("process_max_fds", "Maximum of open files and connections.")
                    .add(unix.getMaxFileDescriptorCount());
        }
    }

    private static void memory(PrometheusText to) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        MemoryUsage heap = memory.getHeapMemoryUsage();
        to.gauge("jvm_memory_used_bytes", "Memory that Java uses, by area.")
                .add(heap.getUsed(), "area", "heap")
                .add(memory.getNonHeapMemoryUsage().getUsed(), "area", "nonheap");
        to.gauge("jvm_memory_max_bytes", "Maximum heap.").add(heap.getMax(), "area", "heap");
    }

    private static void garbageCollections(PrometheusText to) {
        PrometheusText.SummaryFamily pauses =
                to.summary("jvm_gc_collection_seconds", "Number and duration of garbage collections.");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            pauses.add(
                    collector.getCollectionCount(), collector.getCollectionTime() / MILLIS, "gc", collector.getName());
        }
    }

    /** Only Linux provides it. */
    private static Optional<Long> residentBytes() {
        if (!Files.isReadable(STATUS)) {
            return Optional.empty();
        }
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KILO)
                    .findFirst();
        } catch (IOException unreadable) {
            LOG.debug("{} cannot be read", STATUS, unreadable);
            return Optional.empty();
        }
    }
}
