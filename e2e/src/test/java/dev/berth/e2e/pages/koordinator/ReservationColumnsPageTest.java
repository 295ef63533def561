package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What {@code kubectl get reservation} prints. The CRD is not replaced in this cluster: for some minutes an API server may serve
 * watches by the definition before, without Berth's columns.
 */
final class ReservationColumnsPageTest extends ScenarioPage {
    @Test
    void kubectlPrintsTheColumnsOfKoordinatorAndThenThoseOfBerth() {
        createAvailable(ofSize("r", 6));
        create(ofSize("too-large", 1000));
        eventually(() -> assertThat(row("too-large")).endsWith("Unschedulable"));
        List<String> lines = run("get reservation r").ok().lines();
        assertThat(lines.get(0)).matches("NAME +PHASE +AGE +NODE +TTL +EXPIRES +UNTIL +SIZE +USED +OWNERS +REASON *");
        assertThat(lines.get(1)).matches("r +Available +\\d+s +\\S+ +1h +20\\d\\d-\\S+T\\S+Z +6 cpu +0 cpu *");

        run("create -f -", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {app: r}}
                spec:
                  schedulerName: koord-scheduler
                  containers: [{name: c, image: nginx, resources: {requests: {cpu: "2"}}}]
                """).ok();
        eventually(() -> assertThat(row("r"))
                .matches("r +Available +\\S+ +\\S+ +1h +20\\d\\d-\\S+Z +6 cpu +2 cpu +default/web *"));
        run("patch reservation r --type=merge -p {\"spec\":{\"ttl\":\"0s\"}}").ok();
        eventually(() -> assertThat(row("r")).matches("r +Available +\\S+ +\\S+ +0s +never +6 cpu +2 cpu .*"));
    }

    private static String ofSize(String name, int cpus) {
        return reservationYaml(name, "", SHARED, "", requests("cpu: " + cpus));
    }

    private String row(String name) {
        return run("get reservation --no-headers " + name).ok().out().strip();
    }
}
