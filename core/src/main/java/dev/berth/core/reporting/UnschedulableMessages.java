package dev.berth.core.reporting;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.Placement;
import java.util.List;

/**
 * Builds the message of the condition PodScheduled=False and of the event FailedScheduling for a pod that no node is feasible
 * for. The refresher receives the holds that the message names, so that the message is built again when one of them changes.
 */
public final class UnschedulableMessages {
    private final UnusableHoldExplainer unusableHoldExplainer;
    private final UnschedulableMessageRefresher refresher;

    public UnschedulableMessages(UnusableHoldExplainer unusableHoldExplainer, UnschedulableMessageRefresher refresher) {
        this.unusableHoldExplainer = unusableHoldExplainer;
        this.refresher = refresher;
    }

    /**
     * Why the pod is unschedulable: the nodes' vetoes in kube-scheduler's words, the message of PostFilter, and why the pod
     * cannot use the holds whose owners match it.
     *
     * @param postFilterMessage may be empty
     */
    public String build(Pod pod, Placement.Refused refused, String postFilterMessage) {
        List<UnusableHoldExplainer.Unusable> unusable = unusableHoldExplainer.explain(pod);
        refresher.onReported(
                pod.uid(),
                refused,
                unusable.stream().map(UnusableHoldExplainer.Unusable::hold).toList());
        StringBuilder message = new StringBuilder(refused.fitErrorMessage()).append(postFilterMessage);
        unusable.forEach(it -> message.append(' ').append(it.sentence()));
        return message.toString();
    }
}
