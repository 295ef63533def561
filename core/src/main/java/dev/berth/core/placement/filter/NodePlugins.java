package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.Taint;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.placement.profile.FilterPluginName;
import dev.berth.core.placement.profile.Profile;
import java.util.Optional;

/**
 * kube-scheduler's plugins NodeUnschedulable, NodeName, TaintToleration and NodeAffinity, in this order: the filters
 * that depend on the node object alone. The profile may disable each but NodeName.
 */
public final class NodePlugins {
    private NodePlugins() {}

    /**
     * The first veto; empty if the node passes.
     *
     * @param nodeName the node that the pod requests by name
     */
    public static Optional<Code> findVeto(PodSpec spec, Optional<String> nodeName, Node node, Profile profile) {
        if (profile.enforces(FilterPluginName.NODE_UNSCHEDULABLE)
                && node.unschedulable()
                && !spec.tolerates(Taint.UNSCHEDULABLE)) {
            return Optional.of(Code.UNSCHEDULABLE);
        }
        if (nodeName.isPresent() && !nodeName.get().equals(node.name())) {
            return Optional.of(Code.NODE_NAME);
        }
        if (profile.enforces(FilterPluginName.TAINT_TOLERATION) && spec.hasUntoleratedTaint(node.taints())) {
            return Optional.of(Code.TAINTS);
        }
        return profile.enforces(FilterPluginName.NODE_AFFINITY)
                ? findNodeAffinityVeto(spec, node, profile)
                : Optional.empty();
    }

    private static Optional<Code> findNodeAffinityVeto(PodSpec spec, Node node, Profile profile) {
        if (!profile.addedAffinity().matches(node)) {
            return Optional.of(Code.ADDED_AFFINITY);
        }
        return spec.nodeAffinity().matches(node) ? Optional.empty() : Optional.of(Code.NODE_AFFINITY);
    }
}
