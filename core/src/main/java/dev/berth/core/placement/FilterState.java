package dev.berth.core.placement;

import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.filter.FilterPlugins;
import dev.berth.core.placement.profile.Profiles;

/**
 * Everything that filters read, for threads other than the one that owns the ledger.
 *
 * @param filterPlugins for one thread at a time
 */
public record FilterState(Snapshot ledger, Profiles profiles, FilterPlugins filterPlugins) {}
