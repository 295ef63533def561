package dev.berth.core.placement.neighbour;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.table.Suitability;
import java.util.List;

/** How pods of one profile look at nodes and at other pods. */
public interface Outlook {
    Profile profile();

    /** What the nodes are, in themselves, to pods of this shape. */
    Suitability suitability(PodShape shape);

    /** How the pod is to be spread by its own words, or by those that stand for them; not by the system's default. */
    List<SpreadConstraint> spread(Pod pod);
}
