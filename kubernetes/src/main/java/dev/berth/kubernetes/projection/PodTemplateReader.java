package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.interning.QuantityCache;
import java.util.Optional;

/** Reads the spec of a pod template; reused for each template. */
public final class PodTemplateReader {
    private final QuantityCache quantityCache = new QuantityCache();
    private final ContainerReader containerReader = new ContainerReader(quantityCache, true);
    private final PodSpecReader spec = new PodSpecReader(quantityCache, containerReader);

    public void clear() {
        containerReader.clear();
        spec.clear();
    }

    /** The cursor is at the spec. */
    public void read(Cursor in) {
        spec.read(in);
    }

    /** The spec as read since the last clear. */
    public PodSpec toPodSpec() {
        return spec.toPodSpec(spec.requests(Optional.empty(), false), ReservationConstraints.NONE);
    }

    /** The volumes as read since the last clear. */
    public PodVolumes toPodVolumes() {
        return spec.templateVolumes();
    }
}
