package dev.berth.engine;

import dev.berth.core.decision.Fact;

/** Where readers of the API server put what they see. Safe from any thread; facts of one thread keep their order. */
public interface FactSink {
    /** The kinds that must have been listed before anything is decided. */
    enum Source {
        NODES,
        PODS,
        WORKLOADS,
        /** The objects of all doors. */
        DOORS
    }

    /**
     * Takes a fact. Waits while the loop is too far behind, so that no fact is ever dropped; after the loop's end
     * there is nobody whom a fact could concern.
     *
     * @throws InterruptedException when the reader is being stopped
     */
    void accept(Fact fact) throws InterruptedException;

    /** Everything that the source's list showed has been accepted. */
    void listed(Source source) throws InterruptedException;
}
