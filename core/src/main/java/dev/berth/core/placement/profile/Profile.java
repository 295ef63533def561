package dev.berth.core.placement.profile;

import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.placement.score.ScoreWeights;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The plugins and weights with which pods are placed.
 *
 * @param enabledFilters those of the optional filter plugins that are enabled
 * @param weights the weight of each score; 0 disables it
 * @param addedAffinity node affinity that applies in addition to the pod's own
 */
public record Profile(
        Set<FilterPluginName> enabledFilters,
        ScoreWeights weights,
        ResourceScoring resourceScoring,
        SpreadDefaults spreadDefaults,
        InterPodAffinityArgs interPodAffinity,
        NodeAffinity addedAffinity,
        PreemptionAndVolumeSettings preemptionAndVolumeSettings) {
    /** The defaults of kube-scheduler 1.36. */
    public static final Profile DEFAULT = new Profile(
            FilterPluginName.ALL,
            ScoreWeights.DEFAULT,
            ResourceScoring.DEFAULT,
            SpreadDefaults.SYSTEM,
            InterPodAffinityArgs.DEFAULT,
            NodeAffinity.NONE,
            PreemptionAndVolumeSettings.DEFAULT);

    public Profile {
        Set<FilterPluginName> ordered = EnumSet.noneOf(FilterPluginName.class);
        ordered.addAll(enabledFilters);
        enabledFilters = Collections.unmodifiableSet(ordered);
    }

    public boolean enforces(FilterPluginName filterPluginName) {
        return enabledFilters.contains(filterPluginName);
    }

    public Profile withoutFilter(FilterPluginName filterPluginName) {
        Set<FilterPluginName> rest = EnumSet.noneOf(FilterPluginName.class);
        rest.addAll(enabledFilters);
        rest.remove(filterPluginName);
        return new Profile(
                rest,
                weights,
                resourceScoring,
                spreadDefaults,
                interPodAffinity,
                addedAffinity,
                preemptionAndVolumeSettings);
    }

    public Profile withWeights(ScoreWeights other) {
        return new Profile(
                enabledFilters,
                other,
                resourceScoring,
                spreadDefaults,
                interPodAffinity,
                addedAffinity,
                preemptionAndVolumeSettings);
    }

    public Profile withResourceScoring(ResourceScoring other) {
        return new Profile(
                enabledFilters,
                weights,
                other,
                spreadDefaults,
                interPodAffinity,
                addedAffinity,
                preemptionAndVolumeSettings);
    }

    public Profile withSpreadDefaults(SpreadDefaults other) {
        return new Profile(
                enabledFilters,
                weights,
                resourceScoring,
                other,
                interPodAffinity,
                addedAffinity,
                preemptionAndVolumeSettings);
    }

    public Profile withInterPodAffinity(InterPodAffinityArgs other) {
        return new Profile(
                enabledFilters,
                weights,
                resourceScoring,
                spreadDefaults,
                other,
                addedAffinity,
                preemptionAndVolumeSettings);
    }

    public Profile withAddedAffinity(NodeAffinity other) {
        return new Profile(
                enabledFilters,
                weights,
                resourceScoring,
                spreadDefaults,
                interPodAffinity,
                other,
                preemptionAndVolumeSettings);
    }

    public Profile withPreemptionAndVolumeSettings(PreemptionAndVolumeSettings other) {
        return new Profile(
                enabledFilters, weights, resourceScoring, spreadDefaults, interPodAffinity, addedAffinity, other);
    }
}
