package dev.berth.embedded.workload.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Mirrors;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Index;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.LabelSelector;
import dev.berth.embedded.client.object.Meta;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds whom a change of a dependent concerns. */
public final class Owners {
    /** The index value under which objects without a controller are found, followed by their namespace. */
    private static final String ORPHANS = "orphans-in/";

    private Owners() {}

    /** The resource's objects by their controller's UID; orphans by {@link #orphansIn} their namespace. */
    public static Index index(Mirrors mirrors, Resource resource) {
        return mirrors.index(resource, "controller", Owners::indexed);
    }

    private static List<String> indexed(ObjectNode object) {
        return List.of(
                Meta.controllerOf(object).map(owner -> owner.uid()).orElseGet(() -> orphansIn(Meta.namespace(object))));
    }

    public static String orphansIn(String namespace) {
        return ORPHANS + namespace;
    }

    /** The key of the object's controller when it is one of those in the cache. */
    public static Optional<ObjectKey> controller(Cache owners, ObjectNode object) {
        return Meta.controllerOf(object)
                .filter(owner -> owner.kind().equals(owners.resource().kind()))
                .flatMap(owner -> owners.get(Meta.namespace(object), owner.name())
                        .filter(found -> Meta.uid(found).equals(owner.uid())))
                .map(ObjectKey::of);
    }

    /** Enqueues who controls the object, before and after a change; for an orphan, whoever might want it. */
    public static void enqueue(
            Controller<ObjectKey> controller, Cache owners, Optional<ObjectNode> before, Optional<ObjectNode> after) {
        before.flatMap(object -> controller(owners, object)).ifPresent(controller::enqueue);
        after.flatMap(object -> controller(owners, object)).ifPresent(controller::enqueue);
        after.filter(object -> Meta.controllerOf(object).isEmpty())
                .filter(object -> before.isEmpty() || changedHands(before.get(), object))
                .ifPresent(orphan -> enqueueMatching(controller, owners, orphan));
    }

    private static boolean changedHands(ObjectNode before, ObjectNode after) {
        return !Meta.labels(before).equals(Meta.labels(after))
                || Meta.controllerOf(before).isPresent();
    }

    private static void enqueueMatching(Controller<ObjectKey> controller, Cache owners, ObjectNode orphan) {
        Map<String, String> labels = Meta.labels(orphan);
        for (ObjectNode owner : owners.in(Meta.namespace(orphan))) {
            LabelSelector selector = LabelSelector.of(Json.at(owner, "spec", "selector"));
            if (!selector.empty() && selector.matches(labels)) {
                controller.enqueue(ObjectKey.of(owner));
            }
        }
    }
}
