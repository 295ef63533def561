package dev.berth.app;

import dev.berth.core.hold.Origin.DoorId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A ValidatingAdmissionPolicy with its binding that {@code berth install} prints. */
enum InstallPolicy {
    /** No tenant can create a pod that looks like the pod of a Reservation. */
    RESERVE_POD("policy-reserve-pod.yaml", DoorId.KOORDINATOR),
    /** Only users with a permission for it can create pods that ignore Reservations. */
    RESERVATION_IGNORED("policy-reservation-ignored.yaml", DoorId.KOORDINATOR);

    private final String manifest;
    private final DoorId door;

    InstallPolicy(String manifest, DoorId door) {
        this.manifest = manifest;
        this.door = door;
    }

    /** The manifests of the policies that the enabled doors need, without those that the operator does not want. */
    static List<String> manifestsFor(Set<DoorId> enabled, Set<InstallPolicy> unwanted) {
        return Arrays.stream(values())
                .filter(policy -> enabled.contains(policy.door) && !unwanted.contains(policy))
                .map(policy -> policy.manifest)
                .toList();
    }
}
