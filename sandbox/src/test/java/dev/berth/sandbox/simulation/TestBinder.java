package dev.berth.sandbox.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.EventLoopTask;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.informer.Index;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.SharedInformerFactory;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A scheduler for tests: the ready node with the fewest pods, without looking at sizes. */
final class TestBinder implements EventLoopTask {
    private final DynamicClient client;
    private final SharedInformerFactory sharedInformerFactory;
    private final InformerCache nodes;
    private final Index podsByNode;

    TestBinder(LoopEnvironment environment) {
        this.client = environment.client();
        this.sharedInformerFactory = new SharedInformerFactory(environment);
        this.nodes = sharedInformerFactory.cacheFor(RestMapping.NODES);
        this.podsByNode =
                sharedInformerFactory.sharedIndex(RestMapping.PODS, "node", pod -> List.of(Pods.nodeName(pod)));
    }

    @Override
    public boolean step() {
        boolean progress = sharedInformerFactory.step();
        if (!sharedInformerFactory.hasSynced()) {
            return progress;
        }
        for (ObjectNode pod : List.copyOf(podsByNode.find(""))) {
            if (!ObjectMetaReader.isTerminating(pod) && !Pods.isTerminal(pod)) {
                Optional<ObjectNode> node = emptiest();
                node.ifPresent(target -> bind(pod, target));
                progress |= node.isPresent();
            }
        }
        return progress;
    }

    private Optional<ObjectNode> emptiest() {
        return nodes.list().stream()
                .filter(node -> NestedFields.objects(node, "spec", "taints").isEmpty())
                .filter(node -> !NestedFields.flag(node, "spec", "unschedulable"))
                .min(Comparator.comparingInt((ObjectNode node) ->
                                podsByNode.find(ObjectMetaReader.name(node)).size())
                        .thenComparing(ObjectMetaReader::name));
    }

    private void bind(ObjectNode pod, ObjectNode node) {
        ObjectNode binding = NestedFields.newObject().put("apiVersion", "v1").put("kind", "Binding");
        binding.putObject("metadata")
                .put("name", ObjectMetaReader.name(pod))
                .put("namespace", ObjectMetaReader.namespace(pod));
        binding.putObject("target")
                .put("apiVersion", "v1")
                .put("kind", "Node")
                .put("name", ObjectMetaReader.name(node));
        ObjectLocation objectLocation = ObjectLocation.of(RestMapping.PODS, pod);
        client.create(objectLocation, "binding", binding);
        sharedInformerFactory.cacheFor(RestMapping.PODS).applyWrite(client.get(objectLocation));
    }

    @Override
    public Optional<Instant> nextDue() {
        return Optional.empty();
    }

    @Override
    public void close() {
        sharedInformerFactory.close();
    }
}
