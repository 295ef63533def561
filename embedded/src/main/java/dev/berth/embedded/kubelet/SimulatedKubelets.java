package dev.berth.embedded.kubelet;

import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Mirrors;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.Stepper;
import dev.berth.embedded.client.mirror.StepperThread;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Kubelets for many nodes at the price of two watches. Clients of any API server; what they do is described with the
 * package. {@link #start} runs them on a few threads; made by the constructor they are stepped by the caller and do
 * everything on its thread.
 */
public final class SimulatedKubelets implements Stepper {
    private static final int KEYS_A_STEP = 256;

    private final Environment environment;
    private final Mirrors mirrors;
    private final Outbox outbox;
    private final NodeAgent nodes;
    private final PodAgent pods;
    private final Queue<NodePlan> plans = new ConcurrentLinkedQueue<>();

    public SimulatedKubelets(Environment environment, NodePlan plan, KubeletSettings settings) {
        this(environment, plan, settings, Outbox.direct());
    }

    private SimulatedKubelets(Environment environment, NodePlan plan, KubeletSettings settings, Outbox outbox) {
        this.environment = environment;
        this.outbox = outbox;
        this.mirrors = new Mirrors(environment);
        this.nodes = new NodeAgent(environment, settings, mirrors.of(Resource.NODES), outbox, plan);
        this.pods = new PodAgent(environment, settings, mirrors, nodes, outbox);
        plans.add(plan);
    }

    /** Kubelets that run until they are closed. */
    public static final class Running implements AutoCloseable {
        private final SimulatedKubelets kubelets;
        private final StepperThread thread;

        private Running(SimulatedKubelets kubelets, StepperThread thread) {
            this.kubelets = kubelets;
            this.thread = thread;
        }

        /** Registers further nodes. */
        public void register(NodePlan plan) {
            kubelets.register(plan);
        }

        @Override
        public void close() {
            thread.close();
        }
    }

    /** Runs kubelets on one thread that decides and {@code writers} threads that write. */
    public static Running start(Environment environment, NodePlan plan, KubeletSettings settings, int writers) {
        if (writers < 1) {
            throw new IllegalArgumentException("writers (%d) must be at least 1".formatted(writers));
        }
        Outbox outbox = Outbox.threaded(writers, environment.bell()::ring);
        SimulatedKubelets kubelets = new SimulatedKubelets(environment, plan, settings, outbox);
        return new Running(kubelets, StepperThread.start("kubelets", kubelets, environment));
    }

    /** Registers further nodes; may be called by any thread. */
    public void register(NodePlan plan) {
        plans.add(plan);
        environment.bell().ring();
    }

    @Override
    public boolean step() {
        boolean progress = mirrors.step();
        progress |= outbox.deliver();
        if (!mirrors.synced()) {
            return progress;
        }
        NodePlan plan = plans.poll();
        if (plan != null) {
            nodes.register(plan);
            progress = true;
        }
        progress |= nodes.retryRegistration();
        progress |= nodes.controller().step(KEYS_A_STEP);
        progress |= pods.controller().step(KEYS_A_STEP);
        return progress;
    }

    @Override
    public Optional<Instant> nextDue() {
        Optional<Instant> next = Stepper.earlier(mirrors.nextDue(), nodes.retryDue());
        next = Stepper.earlier(next, nodes.controller().nextDue());
        return Stepper.earlier(next, pods.controller().nextDue());
    }

    @Override
    public void close() {
        outbox.close();
        mirrors.close();
    }
}
