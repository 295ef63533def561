package dev.berth.embedded.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of all kubelets that looks after the nodes: reports their state and renews their leases. */
final class NodeAgent implements Reconciler<ObjectKey> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeAgent.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Environment environment;
    private final KubeletSettings settings;
    private final Cache nodes;
    private final Outbox outbox;
    private final Map<String, SimulatedNode> simulated = new HashMap<>();
    private final Controller<ObjectKey> controller;
    /** Nodes whose registration failed, by name, and when to try again. */
    private final Map<String, ObjectNode> waiting = new TreeMap<>();

    private Instant retryRegistrationAt = Instant.MAX;
    private NodePlan plan;

    NodeAgent(Environment environment, KubeletSettings settings, Cache nodes, Outbox outbox, NodePlan plan) {
        this.environment = environment;
        this.settings = settings;
        this.nodes = nodes;
        this.outbox = outbox;
        this.plan = plan;
        this.controller = new Controller<>(this, environment.clock());
        nodes.listen(
                (before, after) -> after.or(() -> before).map(ObjectKey::of).ifPresent(controller::enqueue));
    }

    Controller<ObjectKey> controller() {
        return controller;
    }

    /** Registers the nodes of the plan; those that are there already are taken over. */
    void register(NodePlan more) {
        plan = more;
        for (int number = more.first(); number < more.first() + more.count(); number++) {
            register(NodeObjects.node(more, number, now()));
        }
    }

    private void register(ObjectNode node) {
        outbox.send(Meta.name(node), () -> createOrTakeOver(node), nodes::wrote, problem -> {
            LOG.warn("node ({}) is not registered: {}", Meta.name(node), problem.getMessage());
            waiting.put(Meta.name(node), node);
            retryRegistrationAt = now().plus(RETRY);
        });
    }

    /** Tries again to register what failed; false when nothing is due. */
    boolean retryRegistration() {
        if (waiting.isEmpty() || now().isBefore(retryRegistrationAt)) {
            return false;
        }
        Map<String, ObjectNode> again = new TreeMap<>(waiting);
        waiting.clear();
        retryRegistrationAt = Instant.MAX;
        again.values().forEach(this::register);
        return true;
    }

    Optional<Instant> retryDue() {
        return waiting.isEmpty() ? Optional.empty() : Optional.of(retryRegistrationAt);
    }

    private ObjectNode createOrTakeOver(ObjectNode node) {
        ApiClient client = environment.client();
        try {
            return client.create(Resource.NODES, node);
        } catch (ApiException e) {
            if (!e.alreadyExists()) {
                throw e;
            }
            ObjectNode patch = Json.object();
            patch.putObject("metadata").putObject("annotations").put(SimulatedNode.MARK, "true");
            return client.patch(Resource.NODES.named(Meta.name(node)), Patch.merge(patch));
        }
    }

    /** The node with what its kubelet remembers, when it has one that acts. */
    Optional<SimulatedNode> acting(String name) {
        return nodes.get("", name)
                .filter(SimulatedNode::simulated)
                .filter(node -> SimulatedNode.mode(node) != SimulatedNode.Mode.SILENT)
                .map(this::remembered);
    }

    private SimulatedNode remembered(ObjectNode node) {
        SimulatedNode slot = simulated.computeIfAbsent(Meta.name(node), SimulatedNode::new);
        slot.meet(node);
        return slot;
    }

    /** The memory of a node, acting or not. */
    Optional<SimulatedNode> known(String name) {
        return Optional.ofNullable(simulated.get(name));
    }

    @Override
    public String name() {
        return "kubelet-nodes";
    }

    @Override
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> node = nodes.get(key);
        Optional<SimulatedNode> slot = acting(key.name());
        if (node.isEmpty() || slot.isEmpty()) {
            return Optional.empty();
        }
        if (Json.text(node.get(), "spec", "podCIDR").isEmpty()) {
            giveRange(node.get(), slot.get());
            return Optional.empty();
        }
        report(node.get(), slot.get());
        renew(node.get(), slot.get());
        Instant lease = slot.get().leaseDue();
        Instant status = slot.get().statusDue();
        return Optional.of(lease.isBefore(status) ? lease : status);
    }

    /** A node made by hand gets the range of addresses after the last one in use. */
    private void giveRange(ObjectNode node, SimulatedNode slot) {
        if (slot.reporting()) {
            return;
        }
        int next = nodes.all().stream()
                        .mapToInt(each -> Addresses.placeOf(Json.text(each, "spec", "podCIDR")))
                        .max()
                        .orElse(-1)
                + 1;
        ObjectNode patch = Json.object();
        ObjectNode spec = patch.putObject("spec").put("podCIDR", Addresses.podRange(next));
        spec.putArray("podCIDRs").add(Addresses.podRange(next));
        send(node, slot, Patch.merge(patch));
    }

    private void report(ObjectNode node, SimulatedNode slot) {
        SimulatedNode.Mode mode = SimulatedNode.mode(node);
        boolean due = !now().isBefore(slot.statusDue());
        if (slot.reporting() || (!due && NodeObjects.saysSo(node, mode))) {
            return;
        }
        slot.statusDue(now().plus(settings.statusInterval()));
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", Meta.uid(node));
        patch.set("status", NodeObjects.report(node, mode, plan, now()));
        send(node, slot, Patch.strategic(patch).toStatus());
    }

    private void send(ObjectNode node, SimulatedNode slot, Patch patch) {
        slot.reporting(true);
        Address address = Address.of(Resource.NODES, node);
        outbox.send(
                slot.name(),
                () -> environment.client().patch(address, patch),
                written -> {
                    slot.reporting(false);
                    nodes.wrote(written);
                    controller.enqueue(ObjectKey.of(written));
                },
                problem -> {
                    slot.reporting(false);
                    slot.statusDue(now().plus(RETRY));
                    controller.enqueueAt(ObjectKey.of(node), slot.statusDue());
                    LOG.debug("node ({}) is not reported on: {}", slot.name(), problem.getMessage());
                });
    }

    private void renew(ObjectNode node, SimulatedNode slot) {
        if (slot.renewing() || now().isBefore(slot.leaseDue())) {
            return;
        }
        // Not all nodes at once: each shifts its renewals a little.
        long jitter = environment.random().nextLong(settings.leaseInterval().toMillis() / 10 + 1);
        slot.leaseDue(now().plus(settings.leaseInterval()).minusMillis(jitter));
        slot.renewing(true);
        Instant time = now();
        outbox.send(slot.name(), () -> renewed(node, time), lease -> slot.renewing(false), problem -> {
            slot.renewing(false);
            slot.leaseDue(now().plus(RETRY));
            controller.enqueueAt(ObjectKey.of(node), slot.leaseDue());
            LOG.debug("lease of node ({}) is not renewed: {}", slot.name(), problem.getMessage());
        });
    }

    private ObjectNode renewed(ObjectNode node, Instant time) {
        ApiClient client = environment.client();
        try {
            return client.patch(
                    Resource.LEASES.at(NodeObjects.LEASE_NAMESPACE, Meta.name(node)),
                    Patch.merge(NodeObjects.renewal(node, time)));
        } catch (ApiException e) {
            if (!e.notFound()) {
                throw e;
            }
        }
        ensureLeaseNamespace(client);
        return client.create(Resource.LEASES, NodeObjects.lease(node, time));
    }

    private static void ensureLeaseNamespace(ApiClient client) {
        Address address = Resource.NAMESPACES.named(NodeObjects.LEASE_NAMESPACE);
        if (client.find(address).isEmpty()) {
            ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
            namespace.putObject("metadata").put("name", NodeObjects.LEASE_NAMESPACE);
            try {
                client.create(Resource.NAMESPACES, namespace);
            } catch (ApiException e) {
                if (!e.alreadyExists()) {
                    throw e;
                }
            }
        }
    }

    private Instant now() {
        return environment.clock().instant();
    }
}
