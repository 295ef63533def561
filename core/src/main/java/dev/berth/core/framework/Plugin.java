package dev.berth.core.framework;

import dev.berth.core.hold.Origin;

/**
 * A component that is not a door: it takes part in scheduling itself. It implements extension points, such as {@link
 * PostFilterPlugin} or {@link PreBindPlugin}, or serves plugins that do.
 */
public interface Plugin extends Component<Handle> {
    @Override
    Origin.PluginId id();
}
