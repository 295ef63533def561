package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.interning.QuantityCache;
import java.util.Optional;

/** Reads the specification of a pod that is not there, such as stands in a template; read anew for each. */
public final class PodTemplateReader {
    private final QuantityCache quantityCache = new QuantityCache();
    private final ContainerReader containerReader = new ContainerReader(quantityCache, true);
    private final PodSpecReader spec = new PodSpecReader(quantityCache, containerReader);

    public void clear() {
        containerReader.clear();
        spec.clear();
    }

    /** The cursor is at the specification. */
    public void read(Cursor in) {
        spec.read(in);
    }

    /** All that has been read since it was cleared. */
    public PodSpec toPodShape() {
        if (!spec.volumes("").isEmpty()) {
            spec.addUnsupportedFeature(UnsupportedFeature.VOLUMES);
        }
        return spec.toPodShape(Optional.empty(), false);
    }
}
