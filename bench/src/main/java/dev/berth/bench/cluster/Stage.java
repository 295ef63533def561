package dev.berth.bench.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.bench.Progress;
import dev.berth.bench.cluster.PodWatch.Sighting;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.crd.Definition;
import dev.berth.kubernetes.http2.Limits;
import dev.berth.testkit.controlplane.Access;
import dev.berth.testkit.controlplane.ControlPlaneOptions;
import dev.berth.testkit.controlplane.RealControlPlane;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A fresh control plane with nodes and pods, and the one watcher. */
final class Stage implements AutoCloseable {
    static final int DEPLOYMENTS = 100;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_SECONDS = 300;
    private static final int QUIET_LOOKS = 40;

    private final RealControlPlane plane;
    private final ClusterAccess access;
    private final ApiClient client;
    private final Posts posts;
    private final Progress progress;
    private final PodWatch watch = new PodWatch();

    Stage(Progress progress) {
        this.progress = progress;
        this.plane = RealControlPlane.start(ControlPlaneOptions.bare());
        Access way = plane.access();
        this.access = ClusterAccess.byToken(way.url(), way.caPem(), way.token());
        this.client = client();
        this.posts = new Posts(client);
    }

    RealControlPlane plane() {
        return plane;
    }

    /** A client with connections of its own. */
    ApiClient client() {
        return new ApiClient(access, Limits.DEFAULT, "berth-bench");
    }

    PodWatch watch() {
        return watch;
    }

    /** Makes what is there before the pods: the same for all, so that nobody's API server has more to do. */
    void furnish(int nodes) {
        String kinds = Arrays.stream(Definition.values()).map(Definition::yaml).collect(Collectors.joining("---\n"));
        plane.kubectl().run("apply -f -", kinds).ok();
        posts.send("/api/v1/namespaces", Bodies.namespace());
        posts.await();
        watch.start(client);
        IntStream.range(0, nodes).forEach(node -> posts.send("/api/v1/nodes", Bodies.node(node)));
        posts.await();
    }

    void createPods(String prefix, int count, Scenario scenario) {
        List<String> owners = List.of();
        if (scenario.ofDeployments()) {
            createDeployments(count / DEPLOYMENTS);
            owners = replicaSetUids();
        }
        int before = watch.seen();
        for (int pod = 0; pod < count; pod++) {
            posts.send(Bodies.PODS, body("%s-%06d".formatted(prefix, pod), pod, scenario, owners));
        }
        posts.await();
        await("pods seen", () -> watch.seen() >= before + count);
    }

    /** Creates the pods one after the other, at an even pace. */
    void createPodsSlowly(String prefix, int count, int perSecond, Scenario scenario) {
        List<String> owners = scenario.ofDeployments() ? replicaSetUids() : List.of();
        long start = System.nanoTime();
        for (int pod = 0; pod < count; pod++) {
            sleepUntil(start + pod * 1_000_000_000L / perSecond);
            posts.send(Bodies.PODS, body("%s-%06d".formatted(prefix, pod), pod, scenario, owners));
        }
        posts.await();
    }

    private static String body(String name, int number, Scenario scenario, List<String> owners) {
        String scheduler = scenario.binder().schedulerName();
        if (owners.isEmpty()) {
            return Bodies.pod(name, scheduler);
        }
        int owner = number % owners.size();
        return Bodies.ownedPod(name, scheduler, owner, owners.get(owner));
    }

    private void createDeployments(int replicas) {
        IntStream.range(0, DEPLOYMENTS)
                .forEach(number -> posts.send(Bodies.DEPLOYMENTS, Bodies.deployment(number, replicas)));
        posts.await();
        List<String> uids = deploymentUids();
        IntStream.range(0, DEPLOYMENTS)
                .forEach(number ->
                        posts.send(Bodies.REPLICA_SETS, Bodies.replicaSet(number, replicas, uids.get(number))));
        posts.await();
    }

    private List<String> deploymentUids() {
        return uids(Bodies.DEPLOYMENTS, "app-%d");
    }

    private List<String> replicaSetUids() {
        return uids(Bodies.REPLICA_SETS, "app-%d-5d4f8");
    }

    /** In the order of their numbers. */
    private List<String> uids(String path, String name) {
        JsonNode items = json(posts.get(path)).path("items");
        return IntStream.range(0, items.size())
                .mapToObj(name::formatted)
                .map(wanted -> uid(items, wanted))
                .toList();
    }

    private static String uid(JsonNode items, String name) {
        for (JsonNode item : items) {
            if (item.at("/metadata/name").asText().equals(name)) {
                return item.at("/metadata/uid").asText();
            }
        }
        throw new IllegalStateException("(%s) was created and is not there".formatted(name));
    }

    /** Holds that are to be placed by whoever runs. */
    void createReservations(int count) {
        IntStream.range(0, count).forEach(hold -> posts.send(Bodies.RESERVATIONS, Bodies.reservation(hold)));
        posts.await();
    }

    void awaitReservations(int count) {
        await("reservations available", () -> available() == count);
    }

    /** The next Berth is to find nothing of a former one but the holds: a takeover reads more than a first start. */
    void forgetLease() {
        plane.kubectl().run("delete lease berth -n kube-system").ok();
    }

    private long available() {
        long found = 0;
        for (JsonNode item : json(posts.get(Bodies.RESERVATIONS)).path("items")) {
            found += item.at("/status/phase").asText().equals("Available") ? 1 : 0;
        }
        return found;
    }

    /** How many events there are, without reading them. */
    int events() {
        JsonNode part = json(posts.get("/apis/events.k8s.io/v1/events?limit=1"));
        return part.path("items").size()
                + part.at("/metadata/remainingItemCount").asInt(0);
    }

    String version() {
        return json(posts.get("/version")).path("gitVersion").asText();
    }

    double apiServerCpu() {
        return ProcessUsage.cpuMillis(plane.apiServerPid());
    }

    double etcdCpu() {
        return ProcessUsage.cpuMillis(plane.etcdPid());
    }

    /** Waits until the API server has nothing left to do from before, for some seconds at the most. */
    void awaitQuiet() {
        double last = apiServerCpu();
        for (int look = 0; look < QUIET_LOOKS; look++) {
            sleep(250);
            double now = apiServerCpu();
            if (now - last <= 30) {
                return;
            }
            last = now;
        }
    }

    /** Waits for the condition, and complains when it takes minutes. */
    void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("%s: not within %d s. %d of %d pods are bound.%n%s"
                        .formatted(what, PATIENCE_SECONDS, watch.bound(), watch.seen(), plane.lastWords()));
            }
            progress.at("%,d of %,d pods bound".formatted(watch.bound(), watch.seen()));
            sleep(20);
        }
    }

    /** No node may have more than it has room for. */
    void checkRoom(int podsANode) {
        watch.sightings("").stream()
                .filter(pod -> !pod.node().isEmpty())
                .collect(Collectors.groupingBy(Sighting::node, Collectors.counting()))
                .forEach((node, count) -> {
                    if (count > podsANode) {
                        throw new IllegalStateException(
                                "node (%s) has %d pods and room for %d".formatted(node, count, podsANode));
                    }
                });
    }

    static void sleep(long millis) {
        sleepUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static void sleepUntil(long nanoTime) {
        try {
            long left = nanoTime - System.nanoTime();
            if (left > 0) {
                TimeUnit.NANOSECONDS.sleep(left);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the benchmark was interrupted", stopped);
        }
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the server answered (%s)".formatted(text), e);
        }
    }

    @Override
    public void close() {
        client.close();
        plane.close();
    }
}
