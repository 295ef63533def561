package dev.berth.bench.cluster;

import dev.berth.bench.ProgressLine;
import dev.berth.bench.cluster.BindWatcher.PodTimes;
import dev.berth.testkit.controlplane.ManagedProcess;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** Measures one scenario on a control plane of its own. */
final class ScenarioRun {
    /** Binds that warm up the direct binder: only the limit of the server is measured. */
    private static final int WARM_UP = 500;

    private static final int PACE_PER_SECOND = 100;
    private static final int PACED_PODS = 500;
    private static final int PODS_PER_NODE = 40;
    private static final int EVENT_PAUSE_MILLIS = 100;
    /** After this time without events a scheduler has written its last event. */
    private static final double QUIET_SECONDS = 3;

    private static final Duration STOP_WITHIN = Duration.ofSeconds(20);

    private final Scenario scenario;
    private final ClusterOptions options;
    private final SchedulerLauncher schedulerLauncher;
    private final ProgressLine progressLine;
    private String version = "unknown";

    ScenarioRun(
            Scenario scenario, ClusterOptions options, SchedulerLauncher schedulerLauncher, ProgressLine progressLine) {
        this.scenario = scenario;
        this.options = options;
        this.schedulerLauncher = schedulerLauncher;
        this.progressLine = progressLine;
    }

    ScenarioResult measure() throws InterruptedException {
        begin("starting a control plane");
        try (BenchmarkCluster benchmarkCluster = new BenchmarkCluster(progressLine)) {
            begin("creating %,d nodes".formatted(options.nodes()));
            version = benchmarkCluster.version();
            benchmarkCluster.createNodes(options.nodes());
            ScenarioResult result = scenario.binder() == Scenario.Binder.NONE
                    ? measureDirectBinds(benchmarkCluster)
                    : measureScheduler(benchmarkCluster);
            benchmarkCluster.requireNoOvercommit(PODS_PER_NODE);
            return result;
        }
    }

    /** The version of the measured Kubernetes. */
    String version() {
        return version;
    }

    private void begin(String what) {
        progressLine.begin("(%s) %s: %s".formatted(scenario.id(), scenario.title(), what));
    }

    private ScenarioResult measureDirectBinds(BenchmarkCluster benchmarkCluster) throws InterruptedException {
        createPods(benchmarkCluster);
        benchmarkCluster.createPods("warm", WARM_UP, scenario);
        try (DirectBinder directBinder = new DirectBinder(benchmarkCluster, options.nodes())) {
            directBinder.bind(benchmarkCluster.bindWatcher().pods("warm"));
            benchmarkCluster.awaitQuiet();
            begin("measuring");
            Usage before = Usage.of(benchmarkCluster, -1);
            directBinder.bind(benchmarkCluster.bindWatcher().pods("pod"));
            benchmarkCluster.await(
                    "binds seen", () -> benchmarkCluster.bindWatcher().boundPods() == options.pods() + WARM_UP);
            Usage used = Usage.of(benchmarkCluster, -1).since(before, options.pods());
            return result(benchmarkCluster, before, used, new EventCount(Double.NaN, Double.NaN), List.of());
        }
    }

    private ScenarioResult measureScheduler(BenchmarkCluster benchmarkCluster) {
        if (scenario.reservations() > 0) {
            placeReservations(benchmarkCluster);
        }
        createPods(benchmarkCluster);
        benchmarkCluster.awaitQuiet();
        int eventsBefore = benchmarkCluster.eventCount();
        begin("measuring");
        Usage before = Usage.of(benchmarkCluster, -1);
        ManagedProcess process = schedulerLauncher.start(scenario.binder(), benchmarkCluster.controlPlane());
        benchmarkCluster.await(
                "binds", () -> benchmarkCluster.bindWatcher().boundPods() == options.pods() || requireAlive(process));
        EventEnd end = awaitEvents(benchmarkCluster, process.pid(), eventsBefore, before.at);
        Usage used = end.usage.since(before, options.pods());
        begin("pods at an even pace");
        benchmarkCluster.createPodsAtRate("paced", PACED_PODS, PACE_PER_SECOND, scenario);
        benchmarkCluster.await(
                "binds at an even pace",
                () -> benchmarkCluster.bindWatcher().boundPods() == options.pods() + PACED_PODS);
        ScenarioResult result = result(
                        benchmarkCluster,
                        before,
                        used,
                        end.eventCount,
                        benchmarkCluster.bindWatcher().pods("paced"))
                .withPeak(ProcessUsage.peakMegabytes(process.pid()));
        process.stop(STOP_WITHIN);
        return result;
    }

    /** A different Berth places the Reservations: the measured one starts cold and reads them. */
    private void placeReservations(BenchmarkCluster benchmarkCluster) {
        begin("having %,d Reservations placed".formatted(scenario.reservations()));
        benchmarkCluster.createReservations(scenario.reservations(), scenario::reservation);
        ManagedProcess first = schedulerLauncher.start(scenario.binder(), benchmarkCluster.controlPlane());
        benchmarkCluster.awaitReservations(scenario.reservations());
        first.stop(STOP_WITHIN);
        benchmarkCluster.deleteLease();
    }

    private void createPods(BenchmarkCluster benchmarkCluster) {
        begin("creating %,d pods".formatted(options.pods()));
        benchmarkCluster.createPods("pod", options.pods(), scenario);
    }

    private static boolean requireAlive(ManagedProcess process) {
        if (!process.isAlive()) {
            throw new IllegalStateException("the scheduler ended. It said last:%n%s".formatted(process.logTail(40)));
        }
        return false;
    }

    private record EventCount(double lastEvent, double events) {}

    private record EventEnd(EventCount eventCount, Usage usage) {}

    /** Waits for one event for each pod, or until no more come: the usage up to the last event counts. */
    private EventEnd awaitEvents(BenchmarkCluster benchmarkCluster, long pid, int before, long start) {
        begin("waiting for the last event");
        int known = -1;
        Usage usage = Usage.of(benchmarkCluster, pid);
        while (known < options.pods() && (System.nanoTime() - usage.at) / 1e9 < QUIET_SECONDS) {
            int now = benchmarkCluster.eventCount() - before;
            if (now > known) {
                known = now;
                usage = Usage.of(benchmarkCluster, pid);
            }
            BenchmarkCluster.sleep(EVENT_PAUSE_MILLIS);
        }
        return new EventEnd(new EventCount((usage.at - start) / 1e9, known), usage);
    }

    private ScenarioResult result(
            BenchmarkCluster benchmarkCluster, Usage before, Usage used, EventCount eventCount, List<PodTimes> paced) {
        List<PodTimes> pods = benchmarkCluster.bindWatcher().pods("pod").stream()
                .sorted(Comparator.comparingLong(PodTimes::boundAt))
                .toList();
        double first = (pods.get(0).boundAt() - before.at) / 1e9;
        double last = (pods.get(pods.size() - 1).boundAt() - before.at) / 1e9;
        double[] waits = paced.stream()
                .mapToDouble(pod -> (pod.boundAt() - pod.seenAt()) / 1e6)
                .sorted()
                .toArray();
        return new ScenarioResult(
                (pods.size() - 1) / (last - first),
                pods.size() / last,
                first,
                last,
                percentile(waits, 0.50),
                percentile(waits, 0.99),
                eventCount.lastEvent,
                eventCount.events,
                used.own,
                used.api,
                used.etcd,
                Double.NaN);
    }

    private static double percentile(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    /** CPU milliseconds so far, with the time of the reading. */
    private record Usage(long at, double own, double api, double etcd) {
        private static Usage of(BenchmarkCluster benchmarkCluster, long pid) {
            double own = pid < 0 ? 0 : ProcessUsage.cpuMillis(pid);
            return new Usage(System.nanoTime(), own, benchmarkCluster.apiServerCpu(), benchmarkCluster.etcdCpu());
        }

        /** The usage for each pod since the reading, for a process that started then. */
        private Usage since(Usage before, int pods) {
            return new Usage(at, own / pods, (api - before.api) / pods, (etcd - before.etcd) / pods);
        }
    }
}
