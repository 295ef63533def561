package dev.berth.bench.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.bench.ProgressLine;
import dev.berth.bench.cluster.BindWatcher.PodTimes;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.crd.CrdManifest;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.ControlPlaneOptions;
import dev.berth.testkit.controlplane.RealControlPlane;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A fresh control plane with nodes, pods and one watcher. */
final class BenchmarkCluster implements AutoCloseable {
    static final int DEPLOYMENTS = 100;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long TIMEOUT_SECONDS = 300;
    private static final int QUIET_ATTEMPTS = 40;

    private final RealControlPlane controlPlane;
    private final ClientConfig access;
    private final ApiClient client;
    private final ObjectCreator objectCreator;
    private final ProgressLine progressLine;
    private final BindWatcher bindWatcher = new BindWatcher(BindWatcher.Watched.PODS);

    BenchmarkCluster(ProgressLine progressLine) {
        this.progressLine = progressLine;
        this.controlPlane = RealControlPlane.start(ControlPlaneOptions.bare());
        ApiServerAccess way = controlPlane.access();
        this.access = ClientConfig.withBearerToken(way.url(), way.caPem(), way.token());
        this.client = client();
        this.objectCreator = new ObjectCreator(client);
    }

    RealControlPlane controlPlane() {
        return controlPlane;
    }

    /** A client with connections of its own. */
    ApiClient client() {
        return new ApiClient(access, ConnectionSettings.DEFAULT, "berth-bench");
    }

    BindWatcher bindWatcher() {
        return bindWatcher;
    }

    /** Creates the objects before the pods: the same in all scenarios, so that each API server has the same work. */
    void createNodes(int nodes) {
        String kinds =
                Arrays.stream(CrdManifest.values()).map(CrdManifest::yaml).collect(Collectors.joining("---\n"));
        controlPlane.kubectl().run("apply -f -", kinds).ok();
        objectCreator.create("/api/v1/namespaces", ApiObjectJson.namespace());
        objectCreator.awaitAll();
        bindWatcher.start(client);
        IntStream.range(0, nodes).forEach(node -> objectCreator.create("/api/v1/nodes", ApiObjectJson.node(node)));
        objectCreator.awaitAll();
    }

    void createPods(String prefix, int count, Scenario scenario) {
        List<String> owners = List.of();
        if (scenario.usesDeployments()) {
            createDeployments(count / DEPLOYMENTS);
            owners = replicaSetUids();
        }
        int before = bindWatcher.observedPods();
        for (int pod = 0; pod < count; pod++) {
            objectCreator.create(ApiObjectJson.PODS, body("%s-%06d".formatted(prefix, pod), pod, scenario, owners));
        }
        objectCreator.awaitAll();
        await("pods observed", () -> bindWatcher.observedPods() >= before + count);
    }

    /** Creates the pods one after the other at a constant rate. */
    void createPodsAtRate(String prefix, int count, int perSecond, Scenario scenario) {
        List<String> owners = scenario.usesDeployments() ? replicaSetUids() : List.of();
        long start = System.nanoTime();
        for (int pod = 0; pod < count; pod++) {
            sleepUntil(start + pod * 1_000_000_000L / perSecond);
            objectCreator.create(ApiObjectJson.PODS, body("%s-%06d".formatted(prefix, pod), pod, scenario, owners));
        }
        objectCreator.awaitAll();
    }

    private static String body(String name, int number, Scenario scenario, List<String> owners) {
        String scheduler = scenario.binder().schedulerName();
        if (owners.isEmpty()) {
            return ApiObjectJson.pod(name, ApiObjectJson.appOf(number), scheduler);
        }
        int owner = number % owners.size();
        return ApiObjectJson.ownedPod(name, scheduler, owner, owners.get(owner));
    }

    private void createDeployments(int replicas) {
        IntStream.range(0, DEPLOYMENTS)
                .forEach(number ->
                        objectCreator.create(ApiObjectJson.DEPLOYMENTS, ApiObjectJson.deployment(number, replicas)));
        objectCreator.awaitAll();
        List<String> uids = deploymentUids();
        IntStream.range(0, DEPLOYMENTS)
                .forEach(number -> objectCreator.create(
                        ApiObjectJson.REPLICA_SETS, ApiObjectJson.replicaSet(number, replicas, uids.get(number))));
        objectCreator.awaitAll();
    }

    private List<String> deploymentUids() {
        return uids(ApiObjectJson.DEPLOYMENTS, "app-%d");
    }

    private List<String> replicaSetUids() {
        return uids(ApiObjectJson.REPLICA_SETS, "app-%d-5d4f8");
    }

    /** Sorted by number. */
    private List<String> uids(String path, String name) {
        JsonNode items = json(objectCreator.get(path)).path("items");
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

    /**
     * Creates Reservations for a scheduler to place.
     *
     * @param json the Reservation with this number
     */
    void createReservations(int count, IntFunction<String> json) {
        IntStream.range(0, count)
                .forEach(number -> objectCreator.create(ApiObjectJson.RESERVATIONS, json.apply(number)));
        objectCreator.awaitAll();
    }

    /** Writes the status of these Reservations, with as many requests in flight as at their creation. */
    void patchReservations(int count) {
        IntStream.range(0, count)
                .forEach(number -> objectCreator.patchStatus(
                        "%s/%s/status".formatted(ApiObjectJson.RESERVATIONS, ApiObjectJson.reservationName(number)),
                        ApiObjectJson.availableStatus(number)));
        objectCreator.awaitAll();
    }

    /** A second watcher, of Reservations. */
    BindWatcher watchReservations() {
        BindWatcher watcher = new BindWatcher(BindWatcher.Watched.RESERVATIONS);
        watcher.start(client);
        return watcher;
    }

    void awaitReservations(int count) {
        await("reservations available", () -> availableReservations() == count);
    }

    /** Deletes the Leases of a former Berth, because a takeover reads more than a first start. */
    void deleteLease() {
        controlPlane.kubectl().run("delete lease berth -n kube-system").ok();
    }

    private long availableReservations() {
        long found = 0;
        for (JsonNode item : json(objectCreator.get(ApiObjectJson.RESERVATIONS)).path("items")) {
            found += item.at("/status/phase").asText().equals("Available") ? 1 : 0;
        }
        return found;
    }

    /** The number of events, without reading them. */
    int eventCount() {
        JsonNode part = json(objectCreator.get("/apis/events.k8s.io/v1/events?limit=1"));
        return part.path("items").size()
                + part.at("/metadata/remainingItemCount").asInt(0);
    }

    String version() {
        return json(objectCreator.get("/version")).path("gitVersion").asText();
    }

    double apiServerCpu() {
        return ProcessUsage.cpuMillis(controlPlane.apiServerPid());
    }

    double etcdCpu() {
        return ProcessUsage.cpuMillis(controlPlane.etcdPid());
    }

    /** Waits until the API server is idle, for some seconds at most. */
    void awaitQuiet() {
        double last = apiServerCpu();
        for (int look = 0; look < QUIET_ATTEMPTS; look++) {
            sleep(250);
            double now = apiServerCpu();
            if (now - last <= 30) {
                return;
            }
            last = now;
        }
    }

    /** Waits for the condition, and throws after some minutes. */
    void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("%s: not within %d s. %d of %d pods are bound.%n%s"
                        .formatted(
                                what,
                                TIMEOUT_SECONDS,
                                bindWatcher.boundPods(),
                                bindWatcher.observedPods(),
                                controlPlane.logTails()));
            }
            progressLine.update("%,d of %,d pods bound".formatted(bindWatcher.boundPods(), bindWatcher.observedPods()));
            sleep(20);
        }
    }

    /** No node may have more than its capacity. */
    void requireNoOvercommit(int podsANode) {
        bindWatcher.pods("").stream()
                .filter(pod -> !pod.node().isEmpty())
                .collect(Collectors.groupingBy(PodTimes::node, Collectors.counting()))
                .forEach((node, count) -> {
                    if (count > podsANode) {
                        throw new IllegalStateException(
                                "node (%s) has %d pods and takes at most %d".formatted(node, count, podsANode));
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
        controlPlane.close();
    }
}
