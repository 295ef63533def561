package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.crd.CrdManifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reservations with Berth's CRD and with Koordinator's own. */
final class ReservationCrdPageTest extends ScenarioPage {
    private static final String CRD = CrdManifest.KOORDINATOR_RESERVATIONS.crdName();

    /** Every field of Koordinator's spec. */
    private static final String ALL_FIELDS = """
            apiVersion: scheduling.koordinator.sh/v1alpha1
            kind: Reservation
            metadata: {name: all-fields}
            spec:
              allocateOnce: false
              allocatePolicy: Restricted
              expires: "2040-01-01T00:00:00Z"
              ttl: 1h
              preAllocation: false
              preAllocationPolicy: {mode: Cluster, enableMultiple: true}
              unschedulable: true
              taints: [{key: a, value: b, effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z"}]
              owners:
              - object: {apiVersion: v1, kind: Pod, namespace: default, name: p, uid: "", resourceVersion: "1", fieldPath: f}
              - controller: {apiVersion: "", kind: "", name: "", uid: "", namespace: default, controller: true, blockOwnerDeletion: true}
              - labelSelector:
                  matchLabels: {app: x}
                  matchExpressions: [{key: a, operator: In, values: [b]}, {key: c, operator: Exists}]
              template: {anything: {at: [all, 1]}, spec: {unknownField: true, containers: [{name: c}]}}
            """;

    @AfterEach
    void installTheCrdOfBerth() {
        run("replace -f -", CrdManifest.KOORDINATOR_RESERVATIONS.yaml()).ok();
        awaitBerthCrd();
    }

    @Test
    void withTheCrdOfKoordinatorReservationsWorkAndNoStatusIsWrittenAgain() {
        run("replace -f -", CrdOfKoordinator.yaml()).ok();
        createAvailable(ofSize("r", 6));
        eventually(() -> assertThat(run("get reservation r").ok().lines().get(0))
                .matches("NAME +PHASE +AGE +NODE +TTL +EXPIRES *"));
        // The API server may store an object by the old definition for a moment.
        eventually(() -> {
            run("delete reservation r --ignore-not-found").ok();
            createAvailable(ofSize("r", 6));
            assertThat(jsonPath("get reservation r", "{.status.berth}{.status.nominatedNodeName}"))
                    .isEmpty();
        });
        String version = version("r");
        run("patch reservation r --type=merge -p {\"spec\":{\"ttl\":\"2h\"}}").ok();
        String edited = version("r");
        assertThat(edited).isNotEqualTo(version);
        createAvailable(ofSize("later", 1));
        assertThat(version("r")).isEqualTo(edited);
    }

    @Test
    void bothDefinitionsAcceptAndRejectTheSameObjects() {
        acceptsWhatKoordinatorAccepts();
        run("replace -f -", CrdOfKoordinator.yaml()).ok();
        acceptsWhatKoordinatorAccepts();
    }

    private void acceptsWhatKoordinatorAccepts() {
        run("create --validate=strict -f -", ALL_FIELDS).ok();
        assertThat(jsonPath("get reservation all-fields", "{.spec.template.anything.at[0]}"))
                .isEqualTo("all");
        run("delete reservation all-fields").ok();
        for (String[] invalid : new String[][] {
            {"allocatePolicy: Restricted", "allocatePolicy: Other"},
            {"mode: Cluster", "mode: Other"},
            {"effect: NoSchedule, ", ""},
            {"operator: Exists", "values: []"},
            {"controller: {apiVersion: \"\", ", "controller: {"},
            {"\"2040-01-01T00:00:00Z\"", "tomorrow"}
        }) {
            assertThat(run("create -f -", ALL_FIELDS.replace(invalid[0], invalid[1]))
                            .refused()
                            .err())
                    .as(invalid[1])
                    .contains("is invalid");
        }
    }

    private void awaitBerthCrd() {
        eventually(() -> assertThat(jsonPath("get crd " + CRD, "{.spec.versions[0].additionalPrinterColumns[*].name}"))
                .endsWith("Reason"));
    }

    private static String ofSize(String name, int cpus) {
        return reservationYaml(name, "", SHARED, "", requests("cpu: " + cpus));
    }

    private String version(String name) {
        return jsonPath("get reservation " + name, "{.metadata.resourceVersion}");
    }
}
