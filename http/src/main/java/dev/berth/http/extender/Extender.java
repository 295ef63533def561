package dev.berth.http.extender;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.Veto;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What another scheduler may ask. Safe from several threads at once. */
public interface Extender {
    /**
     * Why each of the nodes does not take the pod; none for those that do. Changes nothing.
     *
     * @throws NoAnswer when it cannot be said now
     */
    Map<String, List<Veto>> vetoes(Pod pod, List<String> nodes) throws NoAnswer, InterruptedException;

    /**
     * Binds the pod to the node, if the node takes it as things are now.
     *
     * @return empty when the pod is there, else in words why not
     * @throws NoAnswer when it is not known, or not yet: whoever asks again learns it
     */
    Optional<String> bind(PodUid pod, String node) throws NoAnswer, InterruptedException;

    /** There is no answer, and in words why. */
    final class NoAnswer extends Exception {
        private static final long serialVersionUID = 1L;

        private final String words;

        public NoAnswer(String words) {
            super(words);
            this.words = words;
        }

        public String words() {
            return words;
        }
    }
}
