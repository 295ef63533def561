package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The events that {@code kubectl describe} prints tell what happened to a Reservation. */
final class DescribeReservationPageTest extends ScenarioPage {
    @AfterEach
    void makeTheNodesUsable() {
        run("uncordon node-0").ok();
        run("uncordon node-1").ok();
        run("uncordon node-2").ok();
    }

    @Test
    void theEventsTellTheStoryOfAReservation() {
        createAvailable(reservationYaml("story", "", SHARED, "", requests("cpu: 2")));
        String node = reservation("story", "{.status.nodeName}");
        awaitEvent("Normal", "Scheduled", "Successfully assigned story to " + node);

        create(podYaml("user", "labels: {app: story}", "", requests("cpu: 1")));
        awaitEvent("Normal", "Allocated", "Pod default/user uses the Reservation");
        run("delete pod user --now").ok();
        awaitEvent("Normal", "Released", "Pod default/user no longer uses the Reservation");

        patch(
                "[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/resources/requests/cpu\",\"value\":\"3\"}]");
        awaitEvent("Normal", "Resized", "Resized from .*2 cpu.* to .*3 cpu.* on node " + node);

        run("cordon " + node).ok();
        awaitEvent("Normal", "Moved", "Moved from node %s to node .*: node %s is cordoned".formatted(node, node));

        patch("[{\"op\":\"replace\",\"path\":\"/spec/ttl\",\"value\":\"1x\"}]");
        awaitEvent("Warning", "InvalidReservation", ".*spec.ttl \\(1x\\).*");

        patch("[{\"op\":\"replace\",\"path\":\"/spec/ttl\",\"value\":\"1s\"}]");
        awaitEvent("Normal", "Expired", "the Reservation expired.*");
    }

    private void patch(String json) {
        run("patch reservation story --type=json -p " + json).ok();
    }

    private void awaitEvent(String type, String reason, String message) {
        eventually(() -> assertThat(run("describe reservation story").ok().lines())
                .as("%s %s", reason, message)
                .anyMatch(line ->
                        line.strip().matches("%s +%s +.* +koord-scheduler +%s".formatted(type, reason, message))));
    }
}
