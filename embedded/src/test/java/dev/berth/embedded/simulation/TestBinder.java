package dev.berth.embedded.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Mirrors;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.Index;
import dev.berth.embedded.client.mirror.Stepper;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A scheduler for tests: the ready node with the fewest pods, without looking at sizes. */
final class TestBinder implements Stepper {
    private final ApiClient client;
    private final Mirrors mirrors;
    private final Cache nodes;
    private final Index podsByNode;

    TestBinder(Environment environment) {
        this.client = environment.client();
        this.mirrors = new Mirrors(environment);
        this.nodes = mirrors.of(Resource.NODES);
        this.podsByNode = mirrors.index(Resource.PODS, "node", pod -> List.of(Pods.node(pod)));
    }

    @Override
    public boolean step() {
        boolean progress = mirrors.step();
        if (!mirrors.synced()) {
            return progress;
        }
        for (ObjectNode pod : List.copyOf(podsByNode.of(""))) {
            if (!Meta.terminating(pod) && !Pods.terminal(pod)) {
                Optional<ObjectNode> node = emptiest();
                node.ifPresent(target -> bind(pod, target));
                progress |= node.isPresent();
            }
        }
        return progress;
    }

    private Optional<ObjectNode> emptiest() {
        return nodes.all().stream()
                .filter(node -> Json.objects(node, "spec", "taints").isEmpty())
                .filter(node -> !Json.flag(node, "spec", "unschedulable"))
                .min(Comparator.comparingInt((ObjectNode node) ->
                                podsByNode.of(Meta.name(node)).size())
                        .thenComparing(Meta::name));
    }

    private void bind(ObjectNode pod, ObjectNode node) {
        ObjectNode binding = Json.object().put("apiVersion", "v1").put("kind", "Binding");
        binding.putObject("metadata").put("name", Meta.name(pod)).put("namespace", Meta.namespace(pod));
        binding.putObject("target").put("apiVersion", "v1").put("kind", "Node").put("name", Meta.name(node));
        Address address = Address.of(Resource.PODS, pod);
        client.create(address, "binding", binding);
        mirrors.of(Resource.PODS).wrote(client.get(address));
    }

    @Override
    public Optional<Instant> nextDue() {
        return Optional.empty();
    }

    @Override
    public void close() {
        mirrors.close();
    }
}
