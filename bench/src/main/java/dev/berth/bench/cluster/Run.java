package dev.berth.bench.cluster;

import dev.berth.bench.Progress;
import dev.berth.bench.cluster.PodWatch.Sighting;
import dev.berth.testkit.controlplane.GuardedProcess;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** Measures one scenario on a control plane of its own. */
final class Run {
    /** Binds by which the ceiling's own program gets warm: it is the server's limit that is looked for. */
    private static final int WARM_UP = 500;

    private static final int PACE_PER_SECOND = 100;
    private static final int PACED_PODS = 500;
    private static final int PODS_A_NODE = 40;
    private static final int EVENT_PAUSE_MILLIS = 100;
    /** A scheduler that has written no event for so long has written its last. */
    private static final double LAST_EVENT_SECONDS = 3;

    private static final Duration STOP_WITHIN = Duration.ofSeconds(20);

    private final Scenario scenario;
    private final ClusterOptions options;
    private final Schedulers schedulers;
    private final Progress progress;
    private String version = "unknown";

    Run(Scenario scenario, ClusterOptions options, Schedulers schedulers, Progress progress) {
        this.scenario = scenario;
        this.options = options;
        this.schedulers = schedulers;
        this.progress = progress;
    }

    Result measure() throws InterruptedException {
        begin("starting a control plane");
        try (Stage stage = new Stage(progress)) {
            begin("creating %,d nodes".formatted(options.nodes()));
            version = stage.version();
            stage.furnish(options.nodes());
            Result result = scenario.binder() == Scenario.Binder.NONE ? ceiling(stage) : scheduler(stage);
            stage.checkRoom(PODS_A_NODE);
            return result;
        }
    }

    /** Of the Kubernetes that it was measured on. */
    String version() {
        return version;
    }

    private void begin(String what) {
        progress.begin("(%s) %s: %s".formatted(scenario.letter(), scenario.title(), what));
    }

    private Result ceiling(Stage stage) throws InterruptedException {
        createPods(stage);
        stage.createPods("warm", WARM_UP, scenario);
        try (Ceiling ceiling = new Ceiling(stage, options.nodes())) {
            ceiling.bind(stage.watch().sightings("warm"));
            stage.awaitQuiet();
            begin("measuring");
            Usage before = Usage.of(stage, -1);
            ceiling.bind(stage.watch().sightings("pod"));
            stage.await("binds seen", () -> stage.watch().bound() == options.pods() + WARM_UP);
            Usage used = Usage.of(stage, -1).since(before, options.pods());
            return result(stage, before, used, new Told(Double.NaN, Double.NaN), List.of());
        }
    }

    private Result scheduler(Stage stage) {
        if (scenario.holds() > 0) {
            placeHolds(stage);
        }
        createPods(stage);
        stage.awaitQuiet();
        int eventsBefore = stage.events();
        begin("measuring");
        Usage before = Usage.of(stage, -1);
        GuardedProcess process = schedulers.start(scenario.binder(), stage.plane());
        stage.await("binds", () -> stage.watch().bound() == options.pods() || ended(process));
        EventEnd end = awaitEvents(stage, process.pid(), eventsBefore, before.at);
        Usage used = end.usage.since(before, options.pods());
        begin("pods at an even pace");
        stage.createPodsSlowly("paced", PACED_PODS, PACE_PER_SECOND, scenario);
        stage.await("binds at an even pace", () -> stage.watch().bound() == options.pods() + PACED_PODS);
        Result result = result(stage, before, used, end.told, stage.watch().sightings("paced"))
                .withPeak(ProcessUsage.peakMegabytes(process.pid()));
        process.stop(STOP_WITHIN);
        return result;
    }

    /** Another Berth places the holds: the one that is measured starts cold and finds them. */
    private void placeHolds(Stage stage) {
        begin("having %,d holds placed".formatted(scenario.holds()));
        stage.createReservations(scenario.holds());
        GuardedProcess first = schedulers.start(scenario.binder(), stage.plane());
        stage.awaitReservations(scenario.holds());
        first.stop(STOP_WITHIN);
        stage.forgetLease();
    }

    private void createPods(Stage stage) {
        begin("creating %,d pods".formatted(options.pods()));
        stage.createPods("pod", options.pods(), scenario);
    }

    private static boolean ended(GuardedProcess process) {
        if (!process.isAlive()) {
            throw new IllegalStateException("the scheduler ended. It said last:%n%s".formatted(process.lastWords(40)));
        }
        return false;
    }

    private record Told(double lastEvent, double events) {}

    private record EventEnd(Told told, Usage usage) {}

    /** Waits for one event a pod, or until no more come: what was used up to the last one counts. */
    private EventEnd awaitEvents(Stage stage, long pid, int before, long start) {
        begin("waiting for the last event");
        int known = -1;
        Usage usage = Usage.of(stage, pid);
        while (known < options.pods() && (System.nanoTime() - usage.at) / 1e9 < LAST_EVENT_SECONDS) {
            int now = stage.events() - before;
            if (now > known) {
                known = now;
                usage = Usage.of(stage, pid);
            }
            Stage.sleep(EVENT_PAUSE_MILLIS);
        }
        return new EventEnd(new Told((usage.at - start) / 1e9, known), usage);
    }

    private Result result(Stage stage, Usage before, Usage used, Told told, List<Sighting> paced) {
        List<Sighting> pods = stage.watch().sightings("pod").stream()
                .sorted(Comparator.comparingLong(Sighting::boundAt))
                .toList();
        double first = (pods.get(0).boundAt() - before.at) / 1e9;
        double last = (pods.get(pods.size() - 1).boundAt() - before.at) / 1e9;
        double[] waits = paced.stream()
                .mapToDouble(pod -> (pod.boundAt() - pod.seenAt()) / 1e6)
                .sorted()
                .toArray();
        return new Result(
                (pods.size() - 1) / (last - first),
                pods.size() / last,
                first,
                last,
                share(waits, 0.50),
                share(waits, 0.99),
                told.lastEvent,
                told.events,
                used.own,
                used.api,
                used.etcd,
                Double.NaN);
    }

    private static double share(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    /** CPU milliseconds so far, and when that was. */
    private record Usage(long at, double own, double api, double etcd) {
        private static Usage of(Stage stage, long pid) {
            double own = pid < 0 ? 0 : ProcessUsage.cpuMillis(pid);
            return new Usage(System.nanoTime(), own, stage.apiServerCpu(), stage.etcdCpu());
        }

        /** A pod's share of what was used since, by a process that began then. */
        private Usage since(Usage before, int pods) {
            return new Usage(at, own / pods, (api - before.api) / pods, (etcd - before.etcd) / pods);
        }
    }
}
