package dev.berth.core.testing;

import dev.berth.core.door.Door;
import dev.berth.core.framework.Plugin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A scheduler for tests. It serves {@code default-scheduler} and has no doors and no plugins, unless said otherwise. */
public final class SchedulerBuilder {
    private final Ledger ledger;
    private Set<String> schedulerNames = Set.of("default-scheduler");
    private Profiles profiles = Profiles.DEFAULT;
    private Optional<SchedulingQueue> queue = Optional.empty();
    private final List<Door> doors = new ArrayList<>();
    private final List<Plugin> plugins = new ArrayList<>();

    private SchedulerBuilder(Ledger ledger) {
        this.ledger = ledger;
    }

    public static SchedulerBuilder aScheduler() {
        return aScheduler(new Ledger());
    }

    public static SchedulerBuilder aScheduler(Ledger ledger) {
        return new SchedulerBuilder(ledger);
    }

    public SchedulerBuilder serving(String... names) {
        return serving(Set.of(names));
    }

    public SchedulerBuilder serving(Set<String> names) {
        schedulerNames = Set.copyOf(names);
        return this;
    }

    public SchedulerBuilder withProfiles(Profiles value) {
        profiles = value;
        return this;
    }

    /** A queue that the test looks into. */
    public SchedulerBuilder withQueue(SchedulingQueue value) {
        queue = Optional.of(value);
        return this;
    }

    public SchedulerBuilder withDoors(Door... added) {
        doors.addAll(List.of(added));
        return this;
    }

    /** The plugins are called in this order. */
    public SchedulerBuilder withPlugins(Plugin... added) {
        plugins.addAll(List.of(added));
        return this;
    }

    /** What the scheduler places pods with. A test needs it only to compare its answers. */
    public Placer placer() {
        List<FilterPlugin> filterPlugins = Stream.of(plugins, doors)
                .flatMap(List::stream)
                .filter(FilterPlugin.class::isInstance)
                .map(FilterPlugin.class::cast)
                .toList();
        return new Placer(ledger, profiles, filterPlugins);
    }

    public Scheduler build() {
        return build(placer());
    }

    /** The same with a placer from {@link #placer}, which the test keeps. */
    public Scheduler build(Placer placer) {
        return new Scheduler(
                ledger,
                placer,
                queue.orElseGet(() -> new SchedulingQueue(BackoffPolicy.DEFAULT)),
                schedulerNames,
                doors,
                plugins);
    }
}
