package dev.berth.engine;

import dev.berth.core.fact.Fact;

/** Receives the facts of informers. Safe from any thread; facts of one thread keep their order. */
public interface FactSink {
    /** The kinds that must be listed before pods are scheduled. */
    enum ListedKind {
        NODES,
        PODS,
        WORKLOADS,
        /** The objects of all doors and plugins. */
        COMPONENTS
    }

    /**
     * Accepts a fact. Blocks while the inbox is full, so that no fact is dropped; after the loop's end facts are
     * ignored.
     *
     * @throws InterruptedException if the informer is being stopped
     */
    void accept(Fact fact) throws InterruptedException;

    /** Every object of the list was accepted. */
    void onListed(ListedKind listedKind) throws InterruptedException;
}
