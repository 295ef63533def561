package dev.berth.embedded.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.embedded.ApiServer;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.mirror.Bell;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.Stepper;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.transport.InProcessTransport;
import dev.berth.embedded.client.transport.Transport;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.kubelet.SimulatedKubelets;
import dev.berth.embedded.workload.WorkloadControllers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** An embedded server with controllers, kubelets and a binder, all on the test's thread and clock. */
public final class Cluster implements AutoCloseable {
    private static final int MOST_STEPS = 100_000;
    private static final YAMLMapper YAML = new YAMLMapper();

    private final ManualTime time = new ManualTime();
    private final ApiServer server = new ApiServer(time, new SplittableRandom(7), 16_384);
    private final ApiClient client = new ApiClient(transport());
    private final List<Stepper> parts = new ArrayList<>();

    private Cluster() {
        for (String name : List.of("default", "kube-system", "kube-node-lease")) {
            if (client.find(Resource.NAMESPACES.named(name)).isEmpty()) {
                create("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(name), Resource.NAMESPACES);
            }
        }
    }

    /** The server alone. */
    public static Cluster bare() {
        return new Cluster();
    }

    /** Controllers alone: pods stay as they are created. */
    public static Cluster withoutNodes() {
        Cluster cluster = new Cluster();
        cluster.parts.add(new WorkloadControllers(cluster.environment()));
        cluster.settle();
        return cluster;
    }

    public static Cluster of(NodePlan plan, KubeletSettings settings) {
        Cluster cluster = new Cluster();
        cluster.parts.add(new WorkloadControllers(cluster.environment()));
        cluster.parts.add(new SimulatedKubelets(cluster.environment(), plan, settings));
        cluster.parts.add(new TestBinder(cluster.environment()));
        cluster.settle();
        return cluster;
    }

    /** Controllers, three nodes of 8 cpus whose kubelets do everything at once, and a binder. */
    public static Cluster ofThreeNodes() {
        return of(NodePlan.nodes(3, "8", "32Gi", 110), KubeletSettings.DEFAULT);
    }

    public Transport transport() {
        return new InProcessTransport(server, time, User.SYSTEM);
    }

    public Environment environment() {
        return new Environment(client, time, new SplittableRandom(11), new Bell());
    }

    public ManualTime time() {
        return time;
    }

    public ApiServer server() {
        return server;
    }

    public ApiClient client() {
        return client;
    }

    /** Ends the kubelets and starts others that know nothing of what those did. */
    public void restartKubelets(NodePlan plan, KubeletSettings settings) {
        parts.stream().filter(SimulatedKubelets.class::isInstance).forEach(Stepper::close);
        parts.removeIf(SimulatedKubelets.class::isInstance);
        parts.add(new SimulatedKubelets(environment(), plan, settings));
        settle();
    }

    /** Steps everybody until nobody has anything to do at this time. */
    public void settle() {
        for (int i = 0; i < MOST_STEPS; i++) {
            boolean progress = false;
            for (Stepper part : parts) {
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
        settle();
        Optional<Instant> next = nextDue();
        while (next.isPresent() && !next.get().isAfter(target)) {
            if (next.get().isAfter(time.instant())) {
                time.setTo(next.get());
            } else {
                time.advance(Duration.ofMillis(1));
            }
            settle();
            next = nextDue();
        }
        time.setTo(target);
        settle();
    }

    private Optional<Instant> nextDue() {
        Optional<Instant> next = Optional.empty();
        for (Stepper part : parts) {
            next = Stepper.earlier(next, part.nextDue());
        }
        return next;
    }

    public ObjectNode create(String yaml, Resource resource) {
        return client.create(resource, parse(yaml));
    }

    public static ObjectNode parse(String yaml) {
        try {
            return (ObjectNode) YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no YAML: " + yaml, e);
        }
    }

    public void merge(Address address, String yaml) {
        client.patch(address, Patch.merge(parse(yaml)));
        settle();
    }

    public void delete(Address address) {
        client.delete(address, DeleteOptions.DEFAULT);
        settle();
    }

    public void delete(Address address, DeleteOptions options) {
        client.delete(address, options);
        settle();
    }

    public List<ObjectNode> pods() {
        return client.list(Resource.PODS, Selection.in("default"));
    }

    public ObjectNode pod(String name) {
        return client.get(Resource.PODS.at("default", name));
    }

    public boolean has(Address address) {
        return client.find(address).isPresent();
    }

    public List<ObjectNode> list(Resource resource) {
        return client.list(resource, Selection.in("default"));
    }

    public List<String> names(Resource resource) {
        return list(resource).stream().map(Meta::name).toList();
    }

    /** The messages of events about an object, in the order in which they were told. */
    public List<String> events(String kind, String name) {
        return client.list(Resource.EVENTS, Selection.ALL).stream()
                .filter(event -> Json.text(event, "involvedObject", "kind").equals(kind))
                .filter(event -> Json.text(event, "involvedObject", "name").equals(name))
                .map(event -> Json.text(event, "reason") + ": " + Json.text(event, "message"))
                .toList();
    }

    @Override
    public void close() {
        parts.forEach(Stepper::close);
    }
}
