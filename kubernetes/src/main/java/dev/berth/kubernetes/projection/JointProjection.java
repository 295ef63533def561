package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Workload;
import dev.berth.kubernetes.cursor.Cursor;
import java.util.Optional;

/** Reads workloads of one kind and what a door wants of their metadata, so that one watch is enough for both. */
public final class JointProjection<T> implements Projection<JointProjection.Joint<T>> {
    private final WorkloadProjection workloads;
    private final MetadataProjection<T> metadata;

    /** One object as both see it; neither means that nothing of it matters. */
    public record Joint<T>(Optional<Workload> workload, Optional<T> ofDoor) {}

    public JointProjection(Workload.Kind kind, MetadataProjection<T> metadata) {
        this.workloads = new WorkloadProjection(kind, metadata::wantsAnnotation);
        this.metadata = metadata;
    }

    @Override
    public Seen<Joint<T>> read(Cursor in) {
        Seen<Workload> seen = workloads.read(in);
        Optional<Joint<T>> joint = seen.problem().isEmpty()
                ? Optional.of(new Joint<>(seen.view(), metadata.view(workloads.meta())))
                        .filter(it -> it.workload().isPresent() || it.ofDoor().isPresent())
                : Optional.empty();
        return new Seen<>(seen.uid(), seen.version(), joint, seen.problem(), seen.identity());
    }
}
