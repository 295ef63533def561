package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** Koordinator's own end-to-end scenarios, with Reservations and pods on node-0 and node-1 of 8 cpus and 32Gi. */
abstract class ScenarioPage extends UserPage {
    static final String SHARED = "allocateOnce: false";
    static final String ON_NODE_0 = "nodeSelector: {kubernetes.io/hostname: node-0}";

    private static final String RESERVATION = "get reservations.scheduling.koordinator.sh ";
    private static final String ALLOCATED =
            "{.metadata.annotations.scheduling\\.koordinator\\.sh/reservation-allocated}";

    @AfterEach
    void deleteEverything() {
        run("delete reservations.scheduling.koordinator.sh --all").ok();
        run("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> assertThat(run("get pods -o name").ok().out()).isEmpty());
    }

    /** Applies the Reservation and waits until it is Available. */
    final void createAvailable(String yaml) {
        String name = yaml.lines()
                .filter(line -> line.startsWith("  name: "))
                .findFirst()
                .orElseThrow()
                .substring("  name: ".length());
        run("create -f -", yaml).ok();
        eventually(() -> assertThat(reservation(name, "{.status.phase}")).isEqualTo("Available"));
    }

    final void create(String... yamls) {
        Stream.of(yamls).forEach(yaml -> run("create -f -", yaml).ok());
    }

    final String reservation(String name, String path) {
        return jsonPath(RESERVATION + name, path);
    }

    /** Waits until the status lists exactly these pods. */
    final void awaitOwners(String reservation, String... pods) {
        eventually(() -> assertThat(List.of(reservation(reservation, "{.status.currentOwners[*].name}")
                        .split(" ")))
                .containsExactlyInAnyOrder(pods.length == 0 ? new String[] {""} : pods));
    }

    final String nodeOf(String pod) {
        return jsonPath("get pod " + pod, "{.spec.nodeName}");
    }

    /** The name of the Reservation in the record of the pod; empty without a record. */
    final String allocatedReservation(String pod) {
        return jsonPath("get pod " + pod, ALLOCATED).replaceAll(".*\"name\":\"([^\"]*)\".*", "$1");
    }

    /**
     * A Reservation for the pods with the label {@code app} and the same name.
     *
     * @param spec a field of the spec
     * @param template more of the template's pod spec
     */
    static String reservationYaml(String name, String labels, String spec, String template, String requests) {
        return """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata:
                  name: %1$s
                  labels: {%2$s}
                spec:
                  ttl: 1h
                  owners:
                  - labelSelector: {matchLabels: {app: %1$s}}
                %3$s  template:
                    metadata:
                      labels: {%2$s}
                    spec:
                      schedulerName: koord-scheduler
                %4$s      containers:
                      - name: app
                        image: nginx
                %5$s""".formatted(name, labels, spec.indent(2), template.indent(6), requests.indent(8));
    }

    static String reservationYaml(String name, String spec, String requests) {
        return reservationYaml(name, "", spec, ON_NODE_0, requests(requests));
    }

    /**
     * A pod.
     *
     * @param metadata such as its labels
     * @param spec such as its node selector
     */
    static String podYaml(String name, String metadata, String spec, String requests) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                %sspec:
                  schedulerName: koord-scheduler
                  terminationGracePeriodSeconds: 1
                %s  containers:
                  - name: app
                    image: nginx
                %s""".formatted(name, metadata.indent(2), spec.indent(2), requests.indent(4));
    }

    /** An owner of the Reservation on node-0. */
    static String ownerYaml(String name, String reservation, String requests) {
        return podYaml(name, "labels: {app: %s}".formatted(reservation), ON_NODE_0, requests(requests));
    }

    static String requests(String requests) {
        return "resources: {requests: {%s}}".formatted(requests);
    }
}
