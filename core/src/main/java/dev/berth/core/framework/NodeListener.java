package dev.berth.core.framework;

import dev.berth.core.cluster.Node;

/**
 * A component that is called for every change of a node.
 *
 * @param <C> the handle that the component is given
 */
public interface NodeListener<C extends Handle> extends Component<C> {
    default void onNodeUpsert(Node node, C handle) {}

    default void onNodeDelete(Node node, C handle) {}
}
