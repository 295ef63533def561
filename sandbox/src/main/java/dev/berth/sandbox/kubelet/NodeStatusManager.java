package dev.berth.sandbox.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the status of all simulated nodes and renews their Leases. */
final class NodeStatusManager implements KeyReconciler<NamespacedName> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeStatusManager.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final LoopEnvironment environment;
    private final KubeletSettings settings;
    private final InformerCache nodes;
    private final AsyncWriter asyncWriter;
    private final Map<String, SimulatedNode> states = new HashMap<>();
    private final Controller<NamespacedName> controller;
    /** Nodes whose registration failed, by name, and when to try again. */
    private final Map<String, ObjectNode> unregistered = new TreeMap<>();

    private Instant retryRegistrationAt = Instant.MAX;
    private NodePool defaultPool;

    NodeStatusManager(
            LoopEnvironment environment,
            KubeletSettings settings,
            InformerCache nodes,
            AsyncWriter asyncWriter,
            NodePool plan) {
        this.environment = environment;
        this.settings = settings;
        this.nodes = nodes;
        this.asyncWriter = asyncWriter;
        this.defaultPool = plan;
        this.controller = new Controller<>(this, environment.clock());
        nodes.addListener((before, after) ->
                after.or(() -> before).map(NamespacedName::of).ifPresent(controller::enqueue));
    }

    Controller<NamespacedName> controller() {
        return controller;
    }

    /** Registers the nodes of the pool; existing nodes are adopted. */
    void register(NodePool more) {
        defaultPool = more;
        for (int number = more.firstNumber(); number < more.firstNumber() + more.count(); number++) {
            register(NodeObjects.node(more, number, now()));
        }
    }

    private void register(ObjectNode node) {
        asyncWriter.send(ObjectMetaReader.name(node), () -> createOrAdopt(node), nodes::applyWrite, problem -> {
            LOG.warn("node ({}) is not registered: {}", ObjectMetaReader.name(node), problem.getMessage());
            unregistered.put(ObjectMetaReader.name(node), node);
            retryRegistrationAt = now().plus(RETRY);
        });
    }

    /** Retries failed registrations; false when none is due. */
    boolean retryRegistration() {
        if (unregistered.isEmpty() || now().isBefore(retryRegistrationAt)) {
            return false;
        }
        Map<String, ObjectNode> again = new TreeMap<>(unregistered);
        unregistered.clear();
        retryRegistrationAt = Instant.MAX;
        again.values().forEach(this::register);
        return true;
    }

    Optional<Instant> retryDue() {
        return unregistered.isEmpty() ? Optional.empty() : Optional.of(retryRegistrationAt);
    }

    private ObjectNode createOrAdopt(ObjectNode node) {
        DynamicClient client = environment.client();
        try {
            return client.create(RestMapping.NODES, node);
        } catch (ApiException e) {
            if (!e.isAlreadyExists()) {
                throw e;
            }
            ObjectNode patch = NestedFields.newObject();
            patch.putObject("metadata").putObject("annotations").put(SimulatedNode.KUBELET_ANNOTATION, "true");
            return client.patch(RestMapping.NODES.clusterObject(ObjectMetaReader.name(node)), Patch.merge(patch));
        }
    }

    /** The state of a node, if its simulated kubelet is active. */
    Optional<SimulatedNode> findActive(String name) {
        return nodes.get("", name)
                .filter(SimulatedNode::isSimulated)
                .filter(node -> SimulatedNode.healthOf(node) != SimulatedNode.NodeHealth.UNRESPONSIVE)
                .map(this::getOrCreateState);
    }

    private SimulatedNode getOrCreateState(ObjectNode node) {
        SimulatedNode state = states.computeIfAbsent(ObjectMetaReader.name(node), SimulatedNode::new);
        state.observeIdentity(node);
        return state;
    }

    /** The state of a node, active or not. */
    Optional<SimulatedNode> find(String name) {
        return Optional.ofNullable(states.get(name));
    }

    @Override
    public String name() {
        return "kubelet-nodes";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> node = nodes.get(key);
        Optional<SimulatedNode> state = findActive(key.name());
        if (node.isEmpty() || state.isEmpty()) {
            return Optional.empty();
        }
        if (NestedFields.text(node.get(), "spec", "podCIDR").isEmpty()) {
            assignPodCidr(node.get(), state.get());
            return Optional.empty();
        }
        reportStatus(node.get(), state.get());
        renewLease(node.get(), state.get());
        Instant lease = state.get().leaseDue();
        Instant status = state.get().statusDue();
        return Optional.of(lease.isBefore(status) ? lease : status);
    }

    /** A user-created node gets the address range after the last one in use. */
    private void assignPodCidr(ObjectNode node, SimulatedNode state) {
        if (state.isStatusWriteInFlight()) {
            return;
        }
        int next = nodes.list().stream()
                        .mapToInt(each -> PodIpPool.nodeNumberOf(NestedFields.text(each, "spec", "podCIDR")))
                        .max()
                        .orElse(-1)
                + 1;
        ObjectNode patch = NestedFields.newObject();
        ObjectNode spec = patch.putObject("spec").put("podCIDR", PodIpPool.podCidr(next));
        spec.putArray("podCIDRs").add(PodIpPool.podCidr(next));
        sendStatusPatch(node, state, Patch.merge(patch));
    }

    private void reportStatus(ObjectNode node, SimulatedNode state) {
        SimulatedNode.NodeHealth nodeHealth = SimulatedNode.healthOf(node);
        boolean due = !now().isBefore(state.statusDue());
        if (state.isStatusWriteInFlight() || (!due && NodeObjects.conditionsMatch(node, nodeHealth))) {
            return;
        }
        state.setStatusDue(now().plus(settings.statusInterval()));
        ObjectNode patch = NestedFields.newObject();
        patch.putObject("metadata").put("uid", ObjectMetaReader.uid(node));
        patch.set("status", NodeObjects.statusPatch(node, nodeHealth, defaultPool, now()));
        sendStatusPatch(node, state, Patch.strategic(patch).forStatus());
    }

    private void sendStatusPatch(ObjectNode node, SimulatedNode state, Patch patch) {
        state.setStatusWriteInFlight(true);
        ObjectLocation objectLocation = ObjectLocation.of(RestMapping.NODES, node);
        asyncWriter.send(
                state.name(),
                () -> environment.client().patch(objectLocation, patch),
                written -> {
                    state.setStatusWriteInFlight(false);
                    nodes.applyWrite(written);
                    controller.enqueue(NamespacedName.of(written));
                },
                problem -> {
                    state.setStatusWriteInFlight(false);
                    state.setStatusDue(now().plus(RETRY));
                    controller.enqueueAt(NamespacedName.of(node), state.statusDue());
                    LOG.debug("node ({}) is not reported on: {}", state.name(), problem.getMessage());
                });
    }

    private void renewLease(ObjectNode node, SimulatedNode state) {
        if (state.isLeaseWriteInFlight() || now().isBefore(state.leaseDue())) {
            return;
        }
        // Each node shifts its renewals, so that not all renew at once.
        long jitter = environment.random().nextLong(settings.leaseInterval().toMillis() / 10 + 1);
        state.setLeaseDue(now().plus(settings.leaseInterval()).minusMillis(jitter));
        state.setLeaseWriteInFlight(true);
        Instant time = now();
        asyncWriter.send(
                state.name(), () -> renewedLease(node, time), lease -> state.setLeaseWriteInFlight(false), problem -> {
                    state.setLeaseWriteInFlight(false);
                    state.setLeaseDue(now().plus(RETRY));
                    controller.enqueueAt(NamespacedName.of(node), state.leaseDue());
                    LOG.debug("lease of node ({}) is not renewed: {}", state.name(), problem.getMessage());
                });
    }

    private ObjectNode renewedLease(ObjectNode node, Instant time) {
        DynamicClient client = environment.client();
        try {
            return client.patch(
                    RestMapping.LEASES.object(NodeObjects.LEASE_NAMESPACE, ObjectMetaReader.name(node)),
                    Patch.merge(NodeObjects.leaseRenewalPatch(node, time)));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
        ensureLeaseNamespace(client);
        return client.create(RestMapping.LEASES, NodeObjects.lease(node, time));
    }

    private static void ensureLeaseNamespace(DynamicClient client) {
        ObjectLocation objectLocation = RestMapping.NAMESPACES.clusterObject(NodeObjects.LEASE_NAMESPACE);
        if (client.find(objectLocation).isEmpty()) {
            ObjectNode namespace =
                    NestedFields.newObject().put("apiVersion", "v1").put("kind", "Namespace");
            namespace.putObject("metadata").put("name", NodeObjects.LEASE_NAMESPACE);
            try {
                client.create(RestMapping.NAMESPACES, namespace);
            } catch (ApiException e) {
                if (!e.isAlreadyExists()) {
                    throw e;
                }
            }
        }
    }

    private Instant now() {
        return environment.clock().instant();
    }
}
