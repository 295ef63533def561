package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.table.NodeSuitability;
import java.util.List;

/** How pods of one profile look at nodes and at other pods. */
public interface ProfileView {
    Profile profile();

    /** What the nodes are, in themselves, to pods of this shape. */
    NodeSuitability suitability(PodSpec shape);

    /** How the pod is to be spread by its own words, or by those that stand for them; not by the system's default. */
    List<TopologySpreadConstraint> spreadConstraints(Pod pod);
}
