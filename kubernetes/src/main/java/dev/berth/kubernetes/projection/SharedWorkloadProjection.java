package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Workload;
import dev.berth.kubernetes.cursor.Cursor;
import java.util.Optional;

/** Reads workloads of one kind, and the metadata that a component uses, so that one watch is enough for both. */
public final class SharedWorkloadProjection<T> implements Projection<SharedWorkloadProjection.SharedView<T>> {
    private final WorkloadProjection workloadProjection;
    private final MetadataProjection<T> componentProjection;

    /** One object with both results. If both are empty, nothing of it is used. */
    public record SharedView<T>(Optional<Workload> workload, Optional<T> componentView) {}

    public SharedWorkloadProjection(Workload.Kind kind, MetadataProjection<T> metadata) {
        this.workloadProjection = new WorkloadProjection(kind, metadata::keepsAnnotation);
        this.componentProjection = metadata;
    }

    @Override
    public ReadResult<SharedView<T>> read(Cursor in) {
        ReadResult<Workload> readResult = workloadProjection.read(in);
        Optional<SharedView<T>> sharedView = readResult.problem().isEmpty()
                ? Optional.of(new SharedView<>(readResult.view(), componentProjection.view(workloadProjection.meta())))
                        .filter(it ->
                                it.workload().isPresent() || it.componentView().isPresent())
                : Optional.empty();
        return new ReadResult<>(
                readResult.uid(),
                readResult.resourceVersion(),
                sharedView,
                readResult.problem(),
                readResult.objectReference());
    }
}
