package dev.berth.sandbox.controller.util;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.Index;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.informer.SharedInformerFactory;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.unstructured.LabelSelectorReader;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.List;
import java.util.Optional;

/** Finds the controllers that a change of a dependent concerns. */
public final class ControllerRefs {
    /** The index value under which objects without a controller are found, followed by their namespace. */
    private static final String ORPHAN_INDEX_PREFIX = "orphans-in/";

    private ControllerRefs() {}

    /** The resource's objects by their controller's UID; orphans by {@link #orphanKey} their namespace. */
    public static Index index(SharedInformerFactory sharedInformerFactory, RestMapping restMapping) {
        return sharedInformerFactory.sharedIndex(restMapping, "controller", ControllerRefs::indexKeys);
    }

    private static List<String> indexKeys(ObjectNode object) {
        return List.of(ObjectMetaReader.controllerOf(object)
                .map(owner -> owner.uid())
                .orElseGet(() -> orphanKey(ObjectMetaReader.namespace(object))));
    }

    public static String orphanKey(String namespace) {
        return ORPHAN_INDEX_PREFIX + namespace;
    }

    /** The key of the object's controller when it is one of those in the cache. */
    public static Optional<NamespacedName> findController(InformerCache owners, ObjectNode object) {
        return ObjectMetaReader.controllerOf(object)
                .filter(owner -> owner.kind().equals(owners.restMapping().kind()))
                .flatMap(owner -> owners.get(ObjectMetaReader.namespace(object), owner.name())
                        .filter(found -> ObjectMetaReader.uid(found).equals(owner.uid())))
                .map(NamespacedName::of);
    }

    /** Enqueues the controllers of the object before and after a change; for an orphan, all owners that select it. */
    public static void enqueueControllers(
            Controller<NamespacedName> controller,
            InformerCache owners,
            Optional<ObjectNode> before,
            Optional<ObjectNode> after) {
        before.flatMap(object -> findController(owners, object)).ifPresent(controller::enqueue);
        after.flatMap(object -> findController(owners, object)).ifPresent(controller::enqueue);
        after.filter(object -> ObjectMetaReader.controllerOf(object).isEmpty())
                .filter(object -> before.isEmpty() || controllerChanged(before.get(), object))
                .ifPresent(orphan -> enqueueMatching(controller, owners, orphan));
    }

    private static boolean controllerChanged(ObjectNode before, ObjectNode after) {
        return !ObjectMetaReader.labels(before).equals(ObjectMetaReader.labels(after))
                || ObjectMetaReader.controllerOf(before).isPresent();
    }

    private static void enqueueMatching(
            Controller<NamespacedName> controller, InformerCache owners, ObjectNode orphan) {
        Labels labels = Labels.of(ObjectMetaReader.labels(orphan));
        for (ObjectNode owner : owners.listNamespace(ObjectMetaReader.namespace(orphan))) {
            LabelSelector selector = LabelSelectorReader.read(NestedFields.at(owner, "spec", "selector"));
            if (!selector.isEmpty() && selector.matches(labels)) {
                controller.enqueue(NamespacedName.of(owner));
            }
        }
    }
}
