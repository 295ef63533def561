package dev.berth.app.run;

import dev.berth.app.config.Config;
import dev.berth.core.framework.Plugin;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.core.volumebinding.prebind.VolumeBinding;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.nomination.NominatedNodeApi;
import dev.berth.kubernetes.preemption.PreemptionApi;
import dev.berth.kubernetes.volumebinding.VolumeBindingApi;
import java.util.ArrayList;
import java.util.List;

/** The plugins of the scheduler, which every engine has: preemption, volume binding and the writer that both use. */
final class SchedulerPlugins {
    private final NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
    private final DefaultPreemption preemption;
    private final VolumeBinding volumes;

    SchedulerPlugins(Config config, LedgerView ledger) {
        this.preemption = new DefaultPreemption(config.profiles(), nominatedNodes);
        this.volumes = new VolumeBinding(ledger, config.profiles(), nominatedNodes);
    }

    List<Plugin> all() {
        return List.of(volumes, nominatedNodes, preemption);
    }

    List<FilterPlugin> filterPlugins() {
        return List.of(volumes);
    }

    /** The counts of preemption. Must be called on the loop's thread. */
    DefaultPreemption.PreemptionStats preemptionStats() {
        return preemption.stats();
    }

    List<WatchedResource<?>> watchedResources() {
        List<WatchedResource<?>> resources =
                new ArrayList<>(PreemptionApi.informers().resources());
        resources.addAll(VolumeBindingApi.informers().resources());
        return resources;
    }

    static void addWriteEncoders(WriteEncoders encoders) {
        NominatedNodeApi.addEncoders(encoders);
        PreemptionApi.addEncoders(encoders);
        VolumeBindingApi.addEncoders(encoders);
    }
}
