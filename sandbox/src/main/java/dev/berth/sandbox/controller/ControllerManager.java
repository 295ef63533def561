package dev.berth.sandbox.controller;

import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.EventLoopTask;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.informer.SharedInformerFactory;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.controller.deployment.DeploymentController;
import dev.berth.sandbox.controller.disruption.DisruptionController;
import dev.berth.sandbox.controller.garbagecollector.GarbageCollector;
import dev.berth.sandbox.controller.garbagecollector.MonitoredResources;
import dev.berth.sandbox.controller.namespace.NamespaceController;
import dev.berth.sandbox.controller.namespace.ServiceAccountController;
import dev.berth.sandbox.controller.nodelifecycle.NodeLifecycleController;
import dev.berth.sandbox.controller.nodelifecycle.PodGarbageCollector;
import dev.berth.sandbox.controller.nodelifecycle.TaintEvictionController;
import dev.berth.sandbox.controller.replicaset.ReplicaSetController;
import dev.berth.sandbox.controller.statefulset.StatefulSetController;
import dev.berth.sandbox.controller.util.ControllerContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * All controllers on one set of informers. Run it by
 * {@link dev.berth.sandbox.client.eventloop.EventLoopThread#start}, or call {@link #step} until it returns false.
 * It never waits and starts no thread.
 */
public final class ControllerManager implements EventLoopTask {
    private final LoopEnvironment environment;
    private final SharedInformerFactory sharedInformerFactory;
    private final List<Controller<?>> controllers = new ArrayList<>();

    public ControllerManager(LoopEnvironment environment) {
        this.environment = environment;
        this.sharedInformerFactory = new SharedInformerFactory(environment);
        add("deployment-controller", DeploymentController::newController);
        add("replicaset-controller", ReplicaSetController::newController);
        add("statefulset-controller", StatefulSetController::newController);
        add("controllermanager", DisruptionController::newController);
        add("namespace-controller", NamespaceController::newController);
        add("serviceaccount-controller", ServiceAccountController::newController);
        add("node-controller", NodeLifecycleController::newController);
        add("taint-eviction-controller", TaintEvictionController::newController);
        add("pod-garbage-collector", PodGarbageCollector::newController);
        ControllerContext garbage =
                ControllerContext.of(environment, sharedInformerFactory, "garbage-collector-controller");
        MonitoredResources monitoredResources = new MonitoredResources(garbage);
        controllers.add(GarbageCollector.newController(garbage, monitoredResources));
        controllers.add(monitoredResources.newController(RestMapping.CUSTOM_RESOURCE_DEFINITIONS));
    }

    private void add(String source, Function<ControllerContext, Controller<NamespacedName>> controller) {
        controllers.add(controller.apply(ControllerContext.of(environment, sharedInformerFactory, source)));
    }

    @Override
    public boolean step() {
        boolean progress = sharedInformerFactory.step();
        if (sharedInformerFactory.hasSynced()) {
            for (Controller<?> controller : controllers) {
                progress |= controller.step();
            }
        }
        return progress;
    }

    @Override
    public Optional<Instant> nextDue() {
        Optional<Instant> next = sharedInformerFactory.nextDue();
        for (Controller<?> controller : controllers) {
            next = EventLoopTask.earliest(next, controller.nextDue());
        }
        return next;
    }

    @Override
    public void close() {
        sharedInformerFactory.close();
    }
}
