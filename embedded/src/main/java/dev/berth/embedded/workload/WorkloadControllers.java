package dev.berth.embedded.workload;

import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Mirrors;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.mirror.Stepper;
import dev.berth.embedded.workload.control.Workspace;
import dev.berth.embedded.workload.deployment.DeploymentController;
import dev.berth.embedded.workload.disruption.DisruptionController;
import dev.berth.embedded.workload.garbage.GarbageCollector;
import dev.berth.embedded.workload.garbage.Kinds;
import dev.berth.embedded.workload.namespace.NamespaceController;
import dev.berth.embedded.workload.namespace.ServiceAccountController;
import dev.berth.embedded.workload.node.NodeLifecycleController;
import dev.berth.embedded.workload.node.PodCleanup;
import dev.berth.embedded.workload.node.TaintEviction;
import dev.berth.embedded.workload.replicaset.ReplicaSetController;
import dev.berth.embedded.workload.statefulset.StatefulSetController;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * All workload controllers on one set of mirrors. Run it by
 * {@link dev.berth.embedded.client.mirror.StepperThread#start}, or call {@link #step} until it says that nothing is left
 * to do. It never waits and starts no thread.
 */
public final class WorkloadControllers implements Stepper {
    private final Environment environment;
    private final Mirrors mirrors;
    private final List<Controller<?>> controllers = new ArrayList<>();

    public WorkloadControllers(Environment environment) {
        this.environment = environment;
        this.mirrors = new Mirrors(environment);
        add("deployment-controller", DeploymentController::in);
        add("replicaset-controller", ReplicaSetController::in);
        add("statefulset-controller", StatefulSetController::in);
        add("controllermanager", DisruptionController::in);
        add("namespace-controller", NamespaceController::in);
        add("serviceaccount-controller", ServiceAccountController::in);
        add("node-controller", NodeLifecycleController::in);
        add("taint-eviction-controller", TaintEviction::in);
        add("pod-garbage-collector", PodCleanup::in);
        Workspace garbage = Workspace.of(environment, mirrors, "garbage-collector-controller");
        Kinds kinds = new Kinds(garbage);
        controllers.add(GarbageCollector.in(garbage, kinds));
        controllers.add(kinds.controller(Resource.DEFINITIONS));
    }

    private void add(String source, Function<Workspace, Controller<ObjectKey>> controller) {
        controllers.add(controller.apply(Workspace.of(environment, mirrors, source)));
    }

    /** Whether everything the controllers look at has been listed; they do nothing before. */
    public boolean ready() {
        return mirrors.synced();
    }

    @Override
    public boolean step() {
        boolean progress = mirrors.step();
        if (mirrors.synced()) {
            for (Controller<?> controller : controllers) {
                progress |= controller.step();
            }
        }
        return progress;
    }

    @Override
    public Optional<Instant> nextDue() {
        Optional<Instant> next = mirrors.nextDue();
        for (Controller<?> controller : controllers) {
            next = Stepper.earlier(next, controller.nextDue());
        }
        return next;
    }

    @Override
    public void close() {
        mirrors.close();
    }
}
