package dev.berth.embedded.workload.garbage;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.DeleteOptions.Propagation;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import dev.berth.embedded.workload.control.Workspace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes objects whose owners are all gone. An owner deleted in the foreground waits here for the dependents that block
 * it; one deleted with {@code Orphan} has its dependents freed first.
 */
public final class GarbageCollector implements Reconciler<Item> {
    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";

    private final Workspace workspace;
    private final Kinds kinds;
    private final Graph graph = new Graph();
    private final Controller<Item> controller;

    private GarbageCollector(Workspace workspace, Kinds kinds) {
        this.workspace = workspace;
        this.kinds = kinds;
        this.controller = new Controller<>(this, workspace.environment().clock());
    }

    /** A controller that hears of the changes of every kind that {@code kinds} follows. */
    public static Controller<Item> in(Workspace workspace, Kinds kinds) {
        GarbageCollector collector = new GarbageCollector(workspace, kinds);
        kinds.onFollow(collector::follow);
        return collector.controller;
    }

    private void follow(Cache cache) {
        Resource resource = cache.resource();
        cache.all().forEach(object -> changed(resource, Optional.empty(), Optional.of(object)));
        cache.listen((before, after) -> changed(resource, before, after));
    }

    private void changed(Resource resource, Optional<ObjectNode> before, Optional<ObjectNode> after) {
        before.ifPresent(object -> graph.leave(resource, object));
        after.ifPresent(object -> graph.enter(resource, object));
        after.filter(object -> worthALook(object)).ifPresent(object -> controller.enqueue(Item.of(resource, object)));
        if (after.isEmpty()) {
            before.ifPresent(gone -> {
                graph.dependentsOf(Meta.uid(gone)).forEach(controller::enqueue);
                // Owners that are deleted in the foreground wait for this one.
                Meta.owners(gone)
                        .forEach(owner ->
                                graph.owner(owner, Meta.namespace(gone)).ifPresent(controller::enqueue));
            });
        }
    }

    private boolean worthALook(ObjectNode object) {
        if (Meta.terminating(object)) {
            return !Meta.finalizers(object).isEmpty();
        }
        return Meta.owners(object).stream()
                .anyMatch(owner -> graph.owner(owner, Meta.namespace(object)).isEmpty());
    }

    @Override
    public String name() {
        return "garbage-collector";
    }

    @Override
    public Optional<Instant> reconcile(Item item) {
        Optional<ObjectNode> object = workspace
                .mirrors()
                .followed(item.resource())
                .flatMap(cache -> cache.get(item.key()))
                .filter(found -> Meta.uid(found).equals(item.uid()));
        if (object.isPresent()) {
            collect(item, object.get());
        }
        return Optional.empty();
    }

    private void collect(Item item, ObjectNode object) {
        List<String> finalizers = Meta.finalizers(object);
        if (!Meta.terminating(object)) {
            deleteUnowned(item, object);
        } else if (finalizers.contains(ORPHAN)) {
            graph.dependentsOf(item.uid()).forEach(dependent -> disown(dependent, Set.of(item.uid())));
            removeFinalizer(item, object, ORPHAN);
        } else if (finalizers.contains(FOREGROUND)) {
            List<Item> blocking = blocking(item);
            if (blocking.isEmpty()) {
                removeFinalizer(item, object, FOREGROUND);
            }
            blocking.forEach(controller::enqueue);
        }
    }

    private List<Item> blocking(Item owner) {
        List<Item> blocking = new ArrayList<>();
        for (Item dependent : graph.dependentsOf(owner.uid())) {
            boolean blocks = find(dependent).stream()
                    .flatMap(object -> Meta.owners(object).stream())
                    .anyMatch(each -> each.uid().equals(owner.uid()) && each.blockOwnerDeletion());
            if (blocks) {
                blocking.add(dependent);
            }
        }
        return blocking;
    }

    private Optional<ObjectNode> find(Item item) {
        return workspace.mirrors().followed(item.resource()).flatMap(cache -> cache.get(item.key()));
    }

    private void deleteUnowned(Item item, ObjectNode object) {
        List<OwnerReference> owners = Meta.owners(object);
        Set<String> gone = new HashSet<>();
        Set<String> waiting = new HashSet<>();
        for (OwnerReference owner : owners) {
            switch (kinds.state(owner, item, graph)) {
                case GONE -> gone.add(owner.uid());
                case WAITING -> waiting.add(owner.uid());
                case PRESENT -> {
                    // Nothing to note: one such owner is enough to stay.
                }
                case UNKNOWN -> {
                    return;
                }
            }
        }
        int solid = owners.size() - gone.size() - waiting.size();
        if (owners.isEmpty() || (solid > 0 && gone.isEmpty() && waiting.isEmpty())) {
            return;
        }
        if (solid > 0) {
            Set<String> leaving = new HashSet<>(gone);
            leaving.addAll(waiting);
            disown(item, leaving);
        } else {
            boolean foreground =
                    !waiting.isEmpty() && !graph.dependentsOf(item.uid()).isEmpty();
            delete(item, object, foreground ? Propagation.FOREGROUND : Propagation.BACKGROUND);
        }
    }

    private void delete(Item item, ObjectNode object, Propagation propagation) {
        // The version too: somebody may have given it another owner in the meantime.
        DeleteOptions options = DeleteOptions.only(object)
                .withResourceVersion(Meta.resourceVersion(object))
                .with(propagation);
        workspace.writes().delete(item.resource(), object, options);
    }

    private void disown(Item item, Set<String> ownerUids) {
        Optional<ObjectNode> object = find(item);
        if (object.isEmpty()) {
            return;
        }
        ArrayNode left = Json.array();
        Meta.owners(object.get()).stream()
                .filter(owner -> !ownerUids.contains(owner.uid()))
                .forEach(owner -> left.add(owner.toJson()));
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", item.uid()).put("resourceVersion", Meta.resourceVersion(object.get()));
        metadata.set("ownerReferences", left);
        patch(item, patch);
    }

    private void removeFinalizer(Item item, ObjectNode object, String finalizer) {
        ArrayNode left = Json.array();
        Meta.finalizers(object).stream().filter(each -> !each.equals(finalizer)).forEach(left::add);
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", item.uid()).put("resourceVersion", Meta.resourceVersion(object));
        metadata.set("finalizers", left);
        patch(item, patch);
    }

    private void patch(Item item, ObjectNode patch) {
        try {
            Address address = new Address(
                    item.resource(), item.key().namespace(), item.key().name());
            workspace.environment().client().patch(address, Patch.merge(patch));
        } catch (ApiException e) {
            if (!e.notFound()) {
                throw e;
            }
        }
    }
}
