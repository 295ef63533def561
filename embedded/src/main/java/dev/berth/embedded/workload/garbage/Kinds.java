package dev.berth.embedded.workload.garbage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.Discovery;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Mirrors;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import dev.berth.embedded.workload.control.Workspace;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Follows every kind that the server serves, also those defined later, so that owners of any kind are known. */
public final class Kinds implements Reconciler<String> {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);
    private static final String DISCOVERY = "discovery";

    /** What is known about an owner. */
    enum State {
        PRESENT,
        /** Being deleted in the foreground: it waits for its dependents. */
        WAITING,
        GONE,
        /** Of a kind that is not served now, so nothing can be said. */
        UNKNOWN
    }

    private final Workspace workspace;
    private final Mirrors mirrors;
    private final Map<String, Resource> byGroupAndKind = new HashMap<>();
    private final Set<Resource> followed = new TreeSet<>();
    private Consumer<Cache> listener = cache -> {};

    public Kinds(Workspace workspace) {
        this.workspace = workspace;
        this.mirrors = workspace.mirrors();
    }

    /** Reads discovery again and again; a new definition makes it look at once. */
    public Controller<String> controller(Resource definitions) {
        Controller<String> controller =
                new Controller<>(this, workspace.environment().clock());
        mirrors.follow(definitions).listen((before, after) -> controller.enqueue(DISCOVERY));
        controller.enqueue(DISCOVERY);
        return controller;
    }

    void onFollow(Consumer<Cache> told) {
        listener = told;
    }

    @Override
    public String name() {
        return "garbage-collector-discovery";
    }

    @Override
    public Optional<Instant> reconcile(String key) {
        Discovery.Catalogue catalogue = new Discovery(workspace.environment().client()).read();
        Set<Resource> served = new TreeSet<>(catalogue.supporting("list", "watch", "delete"));
        // Events come and go in numbers, and nothing else depends on them.
        served.removeIf(resource -> resource.plural().equals("events"));
        for (Resource resource : served) {
            byGroupAndKind.put(resource.group() + "/" + resource.kind(), resource);
            if (followed.add(resource)) {
                listener.accept(mirrors.follow(resource));
            }
        }
        if (catalogue.complete()) {
            Set<Resource> ended = new TreeSet<>(followed);
            ended.removeAll(served);
            ended.forEach(this::forget);
        }
        return Optional.of(workspace.now().plus(LOOK_AGAIN));
    }

    private void forget(Resource resource) {
        followed.remove(resource);
        byGroupAndKind.remove(resource.group() + "/" + resource.kind());
        mirrors.forget(resource);
    }

    /** Asks the server about an owner that was never heard of: it may be younger than our last news. */
    State state(OwnerReference owner, Item dependent, Graph graph) {
        Optional<ObjectNode> heardOf = graph.owner(owner, dependent.key().namespace())
                .flatMap(item -> mirrors.followed(item.resource()).flatMap(cache -> cache.get(item.key())));
        if (heardOf.isPresent()) {
            return stateOf(heardOf.get());
        }
        Resource resource = byGroupAndKind.get(owner.group() + "/" + owner.kind());
        if (resource == null
                || (resource.namespaced() && dependent.key().namespace().isEmpty())) {
            return State.UNKNOWN;
        }
        Address address =
                new Address(resource, resource.namespaced() ? dependent.key().namespace() : "", owner.name());
        return workspace
                .environment()
                .client()
                .find(address)
                .filter(found -> Meta.uid(found).equals(owner.uid()))
                .map(Kinds::stateOf)
                .orElse(State.GONE);
    }

    private static State stateOf(ObjectNode owner) {
        boolean waiting = Meta.terminating(owner) && Meta.finalizers(owner).contains("foregroundDeletion");
        return waiting ? State.WAITING : State.PRESENT;
    }
}
