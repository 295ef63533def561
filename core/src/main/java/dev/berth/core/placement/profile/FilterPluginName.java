package dev.berth.core.placement.profile;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The names of the filter plugins that a profile may disable. Resources, ports, devices and volumes are not among them: holds could
 * not be respected without them.
 */
public enum FilterPluginName {
    NODE_UNSCHEDULABLE,
    TAINT_TOLERATION,
    NODE_AFFINITY,
    POD_TOPOLOGY_SPREAD,
    INTER_POD_AFFINITY,
    NODE_DECLARED_FEATURES;

    public static final Set<FilterPluginName> ALL = Collections.unmodifiableSet(EnumSet.allOf(FilterPluginName.class));
}
