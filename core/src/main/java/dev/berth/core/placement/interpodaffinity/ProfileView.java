package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.table.StaticNodeFilters;
import java.util.List;

/** The properties of one profile that inter-pod constraints depend on. */
public interface ProfileView {
    Profile profile();

    /** The static filters of the nodes for pods with this spec. */
    StaticNodeFilters staticFilters(PodSpec spec);

    /** The spread constraints of the pod, or the default constraints of the profile; not the system default. */
    List<TopologySpreadConstraint> spreadConstraints(Pod pod);
}
