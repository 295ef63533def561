package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Need;
import dev.berth.core.cluster.PodShape;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.sharing.Quantities;
import java.util.Optional;

/** Reads the specification of a pod that is not there, such as stands in a template; read anew for each. */
public final class PodTemplates {
    private final Quantities quantities = new Quantities();
    private final Containers containers = new Containers(quantities, true);
    private final PodSpecs spec = new PodSpecs(quantities, containers);

    public void clear() {
        containers.clear();
        spec.clear();
    }

    /** The cursor is at the specification. */
    public void read(Cursor in) {
        spec.read(in);
    }

    /** All that has been read since it was cleared. */
    public PodShape shape() {
        if (!spec.volumes("").isEmpty()) {
            spec.need(Need.VOLUMES);
        }
        return spec.shape(Optional.empty(), false);
    }
}
