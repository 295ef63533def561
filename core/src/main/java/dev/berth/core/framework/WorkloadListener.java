package dev.berth.core.framework;

import dev.berth.core.cluster.Workload;

/**
 * A component that is called for every change of a Service or a workload.
 *
 * @param <C> the handle that the component is given
 */
public interface WorkloadListener<C extends Handle> extends Component<C> {
    /** A Service or a workload was added or changed. The ledger already has it. */
    default void onWorkloadUpsert(Workload workload, C handle) {}

    /** A Service or a workload was deleted, from the ledger too. */
    default void onWorkloadDelete(Workload.WorkloadKey key, C handle) {}
}
