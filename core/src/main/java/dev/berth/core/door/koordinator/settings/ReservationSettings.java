package dev.berth.core.door.koordinator.settings;

/**
 * What an administrator can set about reservations.
 *
 * @param preemptionEnabled whether a reservation that fits no node preempts pods
 * @param ignoredResources what is not compared when a pod is to use a reservation
 * @param cleansReservationAllocated whether the annotation {@code reservation-allocated} is removed from the pods of a
 * reservation that ended
 */
public record ReservationSettings(
        boolean preemptionEnabled,
        GarbageCollectionSettings garbageCollection,
        PreAllocationSettings preAllocation,
        IgnoredResources ignoredResources,
        MoveSettings moving,
        boolean cleansReservationAllocated) {
    public static final ReservationSettings DEFAULT = new ReservationSettings(
            false,
            GarbageCollectionSettings.DEFAULT,
            PreAllocationSettings.DEFAULT,
            IgnoredResources.NONE,
            MoveSettings.DEFAULT,
            false);

    public ReservationSettings withPreemptionEnabled(boolean enabled) {
        return new ReservationSettings(
                enabled, garbageCollection, preAllocation, ignoredResources, moving, cleansReservationAllocated);
    }

    public ReservationSettings withGarbageCollection(GarbageCollectionSettings settings) {
        return new ReservationSettings(
                preemptionEnabled, settings, preAllocation, ignoredResources, moving, cleansReservationAllocated);
    }

    public ReservationSettings withPreAllocation(PreAllocationSettings settings) {
        return new ReservationSettings(
                preemptionEnabled, garbageCollection, settings, ignoredResources, moving, cleansReservationAllocated);
    }

    public ReservationSettings withIgnoredResources(IgnoredResources resources) {
        return new ReservationSettings(
                preemptionEnabled, garbageCollection, preAllocation, resources, moving, cleansReservationAllocated);
    }

    public ReservationSettings withMoving(MoveSettings settings) {
        return new ReservationSettings(
                preemptionEnabled,
                garbageCollection,
                preAllocation,
                ignoredResources,
                settings,
                cleansReservationAllocated);
    }

    public ReservationSettings withCleanedReservationAllocated(boolean cleans) {
        return new ReservationSettings(
                preemptionEnabled, garbageCollection, preAllocation, ignoredResources, moving, cleans);
    }
}
