package dev.berth.core.reporting;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Veto;
import java.util.List;
import java.util.Optional;

/**
 * Builds the message of the condition PodScheduled=False and of the event FailedScheduling for a pod that no node is feasible
 * for. The refresher receives the holds that the message is about, so that the message is built again when one of them
 * changes.
 */
public final class UnschedulableMessages {
    /** The message is built again when one of these holds changes. More of them would not make it more useful. */
    private static final int MAX_REFRESHED_BY = 10;

    private final UnusableHoldExplainer unusableHoldExplainer;
    private final ReservationDiagnoser reservationDiagnoser;
    private final UnschedulableMessageRefresher refresher;

    public UnschedulableMessages(
            Ledger ledger,
            Placer placer,
            UnusableHoldExplainer unusableHoldExplainer,
            UnschedulableMessageRefresher refresher) {
        this.unusableHoldExplainer = unusableHoldExplainer;
        this.reservationDiagnoser = new ReservationDiagnoser(ledger, placer);
        this.refresher = refresher;
    }

    /**
     * Why a pod is unschedulable.
     *
     * @param message for its condition and its event
     * @param reservationNote for a further event about its Reservations, if it must use one
     */
    public record UnschedulableMessage(String message, Optional<String> reservationNote) {}

    /**
     * The nodes' vetoes in kube-scheduler's words, the message of PostFilter, and why the pod cannot use the holds whose
     * owners match it. For a pod that must use a Reservation, this is in Koordinator's words.
     *
     * @param postFilterMessage may be empty
     */
    public UnschedulableMessage build(Pod pod, Placement.Refused refused, String postFilterMessage) {
        return pod.spec().reservations().areRequired()
                        && refused.preFilterMessage().isEmpty()
                ? buildForAffinity(pod, refused, postFilterMessage)
                : new UnschedulableMessage(buildForOwner(pod, refused, postFilterMessage), Optional.empty());
    }

    private String buildForOwner(Pod pod, Placement.Refused refused, String postFilterMessage) {
        // The nodes would repeat what PreFilter says about the pod.
        List<UnusableHoldExplainer.Unusable> unusable =
                refused.preFilterMessage().isPresent() ? List.of() : unusableHoldExplainer.explain(pod);
        refresher.onReported(
                pod.uid(),
                refused,
                unusable.stream().map(UnusableHoldExplainer.Unusable::hold).toList());
        StringBuilder message = new StringBuilder(refused.fitErrorMessage()).append(postFilterMessage);
        unusable.forEach(it -> message.append(' ').append(it.sentence()));
        return message.toString();
    }

    private UnschedulableMessage buildForAffinity(Pod pod, Placement.Refused refused, String postFilterMessage) {
        ReservationDiagnosis diagnosis = reservationDiagnoser.diagnose(pod);
        List<HoldId> compared =
                diagnosis.compared().stream().limit(MAX_REFRESHED_BY).toList();
        refresher.onReported(pod.uid(), refused, compared);
        String fitError = diagnosis.isComplete()
                ? refused.fitErrorMessage(
                        reason -> !isAboutAmounts(reason.nearestVeto().code()), diagnosis.fitReasons())
                : refused.fitErrorMessage();
        return new UnschedulableMessage(
                "%s%s %s".formatted(fitError, postFilterMessage, diagnosis.summary()),
                Optional.of(diagnosis.eventNote()));
    }

    static boolean isAboutAmounts(Veto.Code code) {
        return switch (code) {
            case RESOURCE, RESOURCE_HELD, POD_SLOTS, HOLD_EXHAUSTED -> true;
            default -> false;
        };
    }
}
