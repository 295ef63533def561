package dev.berth.core.placement.profile;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The rules on nodes that a profile may leave out. Amounts, ports, devices and volumes are not among them: what is held
 * for others could not be kept without.
 */
public enum FilterPlugin {
    NODE_UNSCHEDULABLE,
    TAINT_TOLERATION,
    NODE_AFFINITY,
    POD_TOPOLOGY_SPREAD,
    INTER_POD_AFFINITY,
    NODE_DECLARED_FEATURES;

    public static final Set<FilterPlugin> ALL = Collections.unmodifiableSet(EnumSet.allOf(FilterPlugin.class));
}
