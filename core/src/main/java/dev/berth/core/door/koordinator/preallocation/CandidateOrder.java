package dev.berth.core.door.koordinator.preallocation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.resource.Resources;
import java.util.Comparator;

/** The order in which a reservation takes over the candidates of a node. */
final class CandidateOrder {
    private final String priorityAnnotationKey;

    CandidateOrder(String priorityAnnotationKey) {
        this.priorityAnnotationKey = priorityAnnotationKey;
    }

    /** In the mode Default the pod that fills the reservation best comes first, in the mode Cluster the highest priority. */
    Comparator<Pod> of(PreAllocationRequest request) {
        Comparator<Pod> preferred = request.preAllocation().mode() == PreAllocation.Mode.CLUSTER
                ? Comparator.comparingLong(this::priority)
                : Comparator.comparingLong(pod -> fill(pod.spec().requests(), request.size()));
        return preferred.reversed().thenComparing(Pod::uid);
    }

    private long priority(Pod pod) {
        try {
            return pod.annotations()
                    .get(priorityAnnotationKey)
                    .map(Long::parseLong)
                    .orElse(0L);
        } catch (NumberFormatException malformed) {
            return 0;
        }
    }

    /** Koordinator's MostAllocated score: the average of 100 · request / size. A resource that exceeds the size counts as zero. */
    static long fill(Resources requests, Resources size) {
        long sum = 0;
        int resources = 0;
        for (int i = 0; i < size.size(); i++) {
            long most = size.amountAt(i);
            if (most > 0) {
                long requested = requests.get(size.nameAt(i));
                sum += requested > most ? 0 : (long) (100.0 * requested / most);
                resources++;
            }
        }
        return resources == 0 ? 0 : sum / resources;
    }
}
