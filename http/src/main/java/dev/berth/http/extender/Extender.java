package dev.berth.http.extender;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.Veto;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The extender calls of another scheduler. Safe from any thread. */
public interface Extender {
    /**
     * By node name, why the node is not feasible for the pod; no entry for a feasible node. Changes nothing.
     *
     * @throws ExtenderUnavailable if the cluster is not listed yet, or this replica is not the leader
     */
    Map<String, List<Veto>> filter(Pod pod, List<String> nodes) throws ExtenderUnavailable;

    /**
     * Binds the pod to the node, if the node is feasible now.
     *
     * @return empty if the pod is bound to the node, else the reason why it is not
     * @throws ExtenderUnavailable if the result is not known yet: a repeated call returns it
     */
    Optional<String> bind(PodUid pod, String node) throws ExtenderUnavailable, InterruptedException;

    /** There is no response; the message says why. */
    final class ExtenderUnavailable extends Exception {
        private static final long serialVersionUID = 1L;

        private final String message;

        public ExtenderUnavailable(String message) {
            super(message);
            this.message = message;
        }

        public String message() {
            return message;
        }
    }
}
