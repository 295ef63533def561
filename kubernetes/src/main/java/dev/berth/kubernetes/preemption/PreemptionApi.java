package dev.berth.kubernetes.preemption;

import dev.berth.core.preemption.PreemptionFact;
import dev.berth.core.preemption.PreemptionWrite;
import dev.berth.kubernetes.effects.PodPatch;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.informer.ComponentInformers;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.watch.ApiResource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;

/** Reads the objects of preemption, and writes evictions. */
public final class PreemptionApi {
    private static final ApiResource BUDGETS =
            new ApiResource("poddisruptionbudgets", "PodDisruptionBudget", "/apis/policy/v1/poddisruptionbudgets");
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

    private PreemptionApi() {}

    public static ComponentInformers informers() {
        WatchedResource<?> budgets = new WatchedResource<>(
                BUDGETS,
                new PodDisruptionBudgetProjection(),
                PreemptionFact.BudgetUpserted::new,
                PreemptionFact.BudgetDeleted::new);
        return new ComponentInformers(List.of(budgets), List.of());
    }

    public static void addEncoders(WriteEncoders encoders) {
        encoders.register(PreemptionWrite.Mark.class, PreemptionApi::encodeMark)
                .register(PreemptionWrite.Delete.class, PreemptionApi::encodeDelete);
    }

    /** The condition that distinguishes disruptions from failures, as kube-scheduler sets it. */
    static WriteRequest encodeMark(PreemptionWrite.Mark mark) {
        Map<String, Object> condition = Map.of(
                "type",
                "DisruptionTarget",
                "status",
                "True",
                "reason",
                "PreemptionByScheduler",
                "message",
                mark.message(),
                "lastTransitionTime",
                SECONDS.format(mark.at()));
        return PodPatch.ofStatus(
                mark.victim(),
                PodPatch.uidPrecondition(mark.victim()).with(List.of(condition), "status", "conditions"));
    }

    static WriteRequest encodeDelete(PreemptionWrite.Delete delete) {
        return WriteRequest.delete(
                PodPatch.path(delete.victim()), delete.victim().uid().value());
    }
}
