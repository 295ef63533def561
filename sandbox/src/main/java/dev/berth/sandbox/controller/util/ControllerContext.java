package dev.berth.sandbox.controller.util;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.informer.SharedInformerFactory;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.client.record.EventRecorder;
import dev.berth.sandbox.client.record.EventSource;
import java.time.Instant;

/** What one controller works with: the shared caches, its client, its events and the time. */
public record ControllerContext(
        LoopEnvironment environment,
        SharedInformerFactory sharedInformerFactory,
        WriteThroughClient writeThroughClient,
        EventRecorder recorder,
        EventSource source) {

    public static ControllerContext of(
            LoopEnvironment environment, SharedInformerFactory sharedInformerFactory, String controllerName) {
        return new ControllerContext(
                environment,
                sharedInformerFactory,
                new WriteThroughClient(environment.client(), sharedInformerFactory),
                new EventRecorder(environment.client(), environment.clock(), Runnable::run),
                EventSource.controller(controllerName));
    }

    /** The shared cache of the objects of a resource. */
    public InformerCache cacheFor(RestMapping restMapping) {
        return sharedInformerFactory.cacheFor(restMapping);
    }

    public <K> Controller<K> newController(KeyReconciler<K> reconciler) {
        return new Controller<>(reconciler, environment.clock());
    }

    /** A controller that reconciles each object of the cache when it changes or is deleted. */
    public Controller<NamespacedName> newController(KeyReconciler<NamespacedName> reconciler, InformerCache objects) {
        Controller<NamespacedName> controller = newController(reconciler);
        objects.addListener((before, after) ->
                after.or(() -> before).map(NamespacedName::of).ifPresent(controller::enqueue));
        return controller;
    }

    public Instant now() {
        return environment.clock().instant();
    }

    public void recordNormal(ObjectNode involvedObject, String reason, String message) {
        recorder.normal(source, involvedObject, reason, message);
    }

    public void recordWarning(ObjectNode involvedObject, String reason, String message) {
        recorder.warning(source, involvedObject, reason, message);
    }
}
