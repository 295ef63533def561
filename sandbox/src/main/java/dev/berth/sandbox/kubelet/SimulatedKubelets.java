package dev.berth.sandbox.kubelet;

import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.EventLoopTask;
import dev.berth.sandbox.client.eventloop.EventLoopThread;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.informer.SharedInformerFactory;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Simulated kubelets for many nodes with two watches. They work with any API server; the package documentation describes
 * them. {@link #start} runs them on a few threads. With the constructor, the caller steps them, and they do
 * everything on its thread.
 */
public final class SimulatedKubelets implements EventLoopTask {
    private static final int MAX_KEYS_PER_STEP = 256;

    private final LoopEnvironment environment;
    private final SharedInformerFactory sharedInformerFactory;
    private final AsyncWriter asyncWriter;
    private final NodeStatusManager nodes;
    private final PodWorkers pods;
    private final Queue<NodePool> pendingPools = new ConcurrentLinkedQueue<>();

    public SimulatedKubelets(LoopEnvironment environment, NodePool plan, KubeletSettings settings) {
        this(environment, plan, settings, AsyncWriter.synchronous());
    }

    private SimulatedKubelets(
            LoopEnvironment environment, NodePool plan, KubeletSettings settings, AsyncWriter asyncWriter) {
        this.environment = environment;
        this.asyncWriter = asyncWriter;
        this.sharedInformerFactory = new SharedInformerFactory(environment);
        this.nodes = new NodeStatusManager(
                environment, settings, sharedInformerFactory.cacheFor(RestMapping.NODES), asyncWriter, plan);
        this.pods = new PodWorkers(environment, settings, sharedInformerFactory, nodes, asyncWriter);
        pendingPools.add(plan);
    }

    /** Kubelets that run until they are closed. */
    public static final class Running implements AutoCloseable {
        private final EventLoopThread thread;

        private Running(EventLoopThread thread) {
            this.thread = thread;
        }

        @Override
        public void close() {
            thread.close();
        }
    }

    /** Runs kubelets on one thread that decides and {@code writers} threads that write. */
    public static Running start(LoopEnvironment environment, NodePool plan, KubeletSettings settings, int writers) {
        if (writers < 1) {
            throw new IllegalArgumentException("writers (%d) must be at least 1".formatted(writers));
        }
        AsyncWriter asyncWriter = AsyncWriter.withThreads(writers, environment.wakeSignal()::signal);
        SimulatedKubelets kubelets = new SimulatedKubelets(environment, plan, settings, asyncWriter);
        return new Running(EventLoopThread.start("kubelets", kubelets, environment));
    }

    /** Registers further nodes; may be called by any thread. */
    public void register(NodePool plan) {
        pendingPools.add(plan);
        environment.wakeSignal().signal();
    }

    @Override
    public boolean step() {
        boolean progress = sharedInformerFactory.step();
        progress |= asyncWriter.runCallbacks();
        if (!sharedInformerFactory.hasSynced()) {
            return progress;
        }
        NodePool plan = pendingPools.poll();
        if (plan != null) {
            nodes.register(plan);
            progress = true;
        }
        progress |= nodes.retryRegistration();
        progress |= nodes.controller().stepAtMost(MAX_KEYS_PER_STEP);
        progress |= pods.controller().stepAtMost(MAX_KEYS_PER_STEP);
        return progress;
    }

    @Override
    public Optional<Instant> nextDue() {
        Optional<Instant> next = EventLoopTask.earliest(sharedInformerFactory.nextDue(), nodes.retryDue());
        next = EventLoopTask.earliest(next, nodes.controller().nextDue());
        return EventLoopTask.earliest(next, pods.controller().nextDue());
    }

    @Override
    public void close() {
        asyncWriter.close();
        sharedInformerFactory.close();
    }
}
