package dev.berth.sandbox.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.sandbox.apiserver.InMemoryApiServer;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.EventLoopTask;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.eventloop.WakeSignal;
import dev.berth.sandbox.client.transport.InProcessTransport;
import dev.berth.sandbox.client.transport.Transport;
import dev.berth.sandbox.controller.ControllerManager;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.kubelet.SimulatedKubelets;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** An embedded server with controllers, kubelets and a binder, all on the test's thread and clock. */
public final class TestCluster implements AutoCloseable {
    private static final int MOST_STEPS = 100_000;
    private static final YAMLMapper YAML = new YAMLMapper();

    private final ManualClock time = new ManualClock();
    private final InMemoryApiServer server = new InMemoryApiServer(time, new SplittableRandom(7), 16_384);
    private final DynamicClient client = new DynamicClient(transport());
    private final List<EventLoopTask> parts = new ArrayList<>();

    private TestCluster() {
        for (String name : List.of("default", "kube-system", "kube-node-lease")) {
            if (client.find(RestMapping.NAMESPACES.clusterObject(name)).isEmpty()) {
                create(
                        "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(name),
                        RestMapping.NAMESPACES);
            }
        }
    }

    /** The server alone. */
    public static TestCluster bare() {
        return new TestCluster();
    }

    /** Controllers alone: pods stay as they are created. */
    public static TestCluster withoutNodes() {
        TestCluster cluster = new TestCluster();
        cluster.parts.add(new ControllerManager(cluster.environment()));
        cluster.stepUntilIdle();
        return cluster;
    }

    public static TestCluster of(NodePool plan, KubeletSettings settings) {
        TestCluster cluster = new TestCluster();
        cluster.parts.add(new ControllerManager(cluster.environment()));
        cluster.parts.add(new SimulatedKubelets(cluster.environment(), plan, settings));
        cluster.parts.add(new TestBinder(cluster.environment()));
        cluster.stepUntilIdle();
        return cluster;
    }

    /** Controllers, three nodes of 8 cpus whose kubelets do everything at once, and a binder. */
    public static TestCluster ofThreeNodes() {
        return of(NodePool.of(3, "8", "32Gi", 110), KubeletSettings.DEFAULT);
    }

    public Transport transport() {
        return new InProcessTransport(server, time, UserInfo.SYSTEM);
    }

    public LoopEnvironment environment() {
        return new LoopEnvironment(client, time, new SplittableRandom(11), new WakeSignal());
    }

    public ManualClock time() {
        return time;
    }

    public InMemoryApiServer server() {
        return server;
    }

    public DynamicClient client() {
        return client;
    }

    /** Ends the kubelets and starts others that know nothing of what those did. */
    public void restartKubelets(NodePool plan, KubeletSettings settings) {
        parts.stream().filter(SimulatedKubelets.class::isInstance).forEach(EventLoopTask::close);
        parts.removeIf(SimulatedKubelets.class::isInstance);
        parts.add(new SimulatedKubelets(environment(), plan, settings));
        stepUntilIdle();
    }

    /** Steps everybody until nobody has anything to do at this time. */
    public void stepUntilIdle() {
        for (int i = 0; i < MOST_STEPS; i++) {
            boolean progress = false;
            for (EventLoopTask part : parts) {
                progress |= part.step();
            }
            if (!progress) {
                return;
            }
        }
        throw new AssertionError("nobody comes to rest: something changes back and forth");
    }

    /** Lets time pass, from one thing that is due to the next. */
    public void advance(Duration step) {
        Instant target = time.instant().plus(step);
        stepUntilIdle();
        Optional<Instant> next = nextDue();
        while (next.isPresent() && !next.get().isAfter(target)) {
            if (next.get().isAfter(time.instant())) {
                time.setTo(next.get());
            } else {
                time.advance(Duration.ofMillis(1));
            }
            stepUntilIdle();
            next = nextDue();
        }
        time.setTo(target);
        stepUntilIdle();
    }

    private Optional<Instant> nextDue() {
        Optional<Instant> next = Optional.empty();
        for (EventLoopTask part : parts) {
            next = EventLoopTask.earliest(next, part.nextDue());
        }
        return next;
    }

    public ObjectNode create(String yaml, RestMapping restMapping) {
        return client.create(restMapping, parse(yaml));
    }

    public static ObjectNode parse(String yaml) {
        try {
            return (ObjectNode) YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no YAML: " + yaml, e);
        }
    }

    public void merge(ObjectLocation objectLocation, String yaml) {
        client.patch(objectLocation, Patch.merge(parse(yaml)));
        stepUntilIdle();
    }

    public void delete(ObjectLocation objectLocation) {
        client.delete(objectLocation, DeleteOptions.DEFAULT);
        stepUntilIdle();
    }

    public void delete(ObjectLocation objectLocation, DeleteOptions options) {
        client.delete(objectLocation, options);
        stepUntilIdle();
    }

    public List<ObjectNode> pods() {
        return client.list(RestMapping.PODS, ListScope.inNamespace("default"));
    }

    public ObjectNode pod(String name) {
        return client.get(RestMapping.PODS.object("default", name));
    }

    public boolean has(ObjectLocation objectLocation) {
        return client.find(objectLocation).isPresent();
    }

    public List<ObjectNode> list(RestMapping restMapping) {
        return client.list(restMapping, ListScope.inNamespace("default"));
    }

    public List<String> names(RestMapping restMapping) {
        return list(restMapping).stream().map(ObjectMetaReader::name).toList();
    }

    /** The messages of events about an object, in the order in which they were told. */
    public List<String> events(String kind, String name) {
        return client.list(RestMapping.EVENTS, ListScope.ALL).stream()
                .filter(event ->
                        NestedFields.text(event, "involvedObject", "kind").equals(kind))
                .filter(event ->
                        NestedFields.text(event, "involvedObject", "name").equals(name))
                .map(event -> NestedFields.text(event, "reason") + ": " + NestedFields.text(event, "message"))
                .toList();
    }

    @Override
    public void close() {
        parts.forEach(EventLoopTask::close);
    }
}
