package dev.berth.e2e.pages.koordinator;

import dev.berth.e2e.pages.KubectlPage;
import dev.berth.testkit.controlplane.Kubectl;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;

/** Writes what koord-scheduler writes: its Lease, the annotation before the bind, the bind, and then the status. */
final class KoordSchedulerWrites extends KubectlPage {
    private static final String LEASE = "lease koord-scheduler -n koordinator-system";

    private final Kubectl kubectl;

    KoordSchedulerWrites(Kubectl kubectl) {
        this.kubectl = kubectl;
    }

    @Override
    protected Kubectl kubectl() {
        return kubectl;
    }

    /** The Lease is valid for an hour, because nothing renews it. */
    void takeLease(String holder) {
        run("create namespace koordinator-system");
        deleteLease();
        run("create -f -", """
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: koord-scheduler, namespace: koordinator-system}
                spec:
                  holderIdentity: %s
                  leaseDurationSeconds: 3600
                  leaseTransitions: 0
                  acquireTime: "%s"
                  renewTime: "%2$s"
                """.formatted(
                        holder, Instant.now().truncatedTo(ChronoUnit.MILLIS).plusNanos(1000)))
                .ok();
    }

    void deleteLease() {
        run("delete %s --ignore-not-found".formatted(LEASE)).ok();
    }

    void releaseLease() {
        patch(
                "{\"spec\":{\"holderIdentity\":\"\",\"leaseDurationSeconds\":1}}",
                "lease",
                "koord-scheduler",
                "--namespace=koordinator-system");
    }

    /** The annotation comes first, in a write of its own. */
    void bind(String pod, String reservation, String node) {
        kubectl.runArguments(
                        "",
                        "annotate",
                        "pod",
                        pod,
                        "scheduling.koordinator.sh/reservation-allocated=" + recordOf(reservation))
                .ok();
        run("create --raw /api/v1/namespaces/default/pods/%s/binding -f -".formatted(pod), """
                {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s","namespace":"default"},
                 "target":{"kind":"Node","name":"%s"}}""".formatted(pod, node))
                .ok();
    }

    /** The value of the annotation of a pod that uses the Reservation. */
    String recordOf(String reservation) {
        return "{\"name\":\"%s\",\"uid\":\"%s\"}"
                .formatted(reservation, uid("reservations.scheduling.koordinator.sh " + reservation));
    }

    String uid(String object) {
        return jsonPath("get " + object, "{.metadata.uid}");
    }

    /**
     * The status of a Reservation that has or had a place.
     *
     * @param allocated the cpus that the owners request; amounts of zero are not written
     */
    void writeStatus(
            String reservation, String phase, String node, int cpu, int allocated, Instant at, String... owners) {
        boolean available = phase.equals("Available");
        String amounts = allocated == 0 ? "" : ",\"allocated\":{\"cpu\":\"%d\"}".formatted(allocated);
        patchStatus(reservation, """
                {"status":{"phase":"%s","nodeName":"%s","allocatable":{"cpu":"%d"}%s%s,"conditions":[%s,%s]}}""".formatted(
                        phase,
                        node,
                        cpu,
                        amounts,
                        currentOwners(owners),
                        condition("Scheduled", "True", "Scheduled", at, ""),
                        condition("Ready", available ? "True" : "False", phase, at, "")));
    }

    void writeUnschedulable(String reservation, String message, Instant at) {
        String condition =
                condition("Scheduled", "False", "Unschedulable", at, ",\"message\":\"%s\"".formatted(message));
        patchStatus(reservation, "{\"status\":{\"phase\":\"Pending\",\"conditions\":[%s]}}".formatted(condition));
    }

    private String currentOwners(String... pods) {
        String owners = String.join(
                ",",
                Stream.of(pods)
                        .map(pod -> "{\"namespace\":\"default\",\"name\":\"%s\",\"uid\":\"%s\"}"
                                .formatted(pod, uid("pod " + pod)))
                        .toList());
        return owners.isEmpty() ? "" : ",\"currentOwners\":[%s]".formatted(owners);
    }

    private static String condition(String type, String status, String reason, Instant at, String more) {
        return "{\"type\":\"%s\",\"status\":\"%s\",\"reason\":\"%s\",\"lastProbeTime\":\"%s\",\"lastTransitionTime\":\"%4$s\"%s}"
                .formatted(type, status, reason, at, more);
    }

    private void patchStatus(String reservation, String patch) {
        patch(patch, "reservations.scheduling.koordinator.sh", reservation, "--subresource=status");
    }

    private void patch(String patch, String kind, String name, String option) {
        kubectl.runArguments("", "patch", kind, name, option, "--type=merge", "-p", patch)
                .ok();
    }
}
