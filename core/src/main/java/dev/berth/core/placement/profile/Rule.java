package dev.berth.core.placement.profile;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The rules on nodes that a profile may leave out. Amounts, ports, devices and volumes are not among them: what is held
 * for others could not be kept without.
 */
public enum Rule {
    UNSCHEDULABLE,
    TAINTS,
    NODE_AFFINITY,
    SPREAD,
    POD_AFFINITY,
    FEATURES;

    public static final Set<Rule> ALL = Collections.unmodifiableSet(EnumSet.allOf(Rule.class));
}
