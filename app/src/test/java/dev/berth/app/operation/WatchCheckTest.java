package dev.berth.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.operation.Check.Finding;
import dev.berth.kubernetes.watch.WatchHealth;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchCheckTest {
    @Test
    void aKindWhoseWatchFailsThreeTimesInARowIsNamedWithItsError() {
        assertThat(asked(new WatchHealth.State("pods", 2, 2, "connection lost", 0, 0, false)))
                .isEqualTo(Finding.well(""));
        assertThat(asked(
                        new WatchHealth.State("pods", 0, 9, "", 0, 0, false),
                        new WatchHealth.State("reservations", 3, 3, "malformed watch", 0, 0, false)))
                .isEqualTo(Finding.ill("reservations failed 3 times in a row: malformed watch"));
    }

    @Test
    void kindsThatFailWithTheSameErrorAreCountedAndTheErrorIsSaidOnce() {
        assertThat(asked(
                        new WatchHealth.State(
                                "pods", 4, 4, "cannot connect to https://here:6443: refused", 0, 0, false),
                        new WatchHealth.State("holds", 3, 3, "forbidden", 0, 0, false),
                        new WatchHealth.State(
                                "nodes", 5, 5, "cannot connect to https://here:6443: refused", 0, 0, false)))
                .isEqualTo(Finding.ill("2 kinds failed at least 4 times in a row: cannot connect to https://here:6443:"
                        + " refused; holds failed 3 times in a row: forbidden"));
    }

    @Test
    void objectsThatCannotBeReadAreCountedButNoReasonNotToBeReady() {
        assertThat(asked(new WatchHealth.State("reservations", 0, 0, "", 2, 5, false)))
                .isEqualTo(Finding.well("objects that cannot be read: 2 of reservations"));
    }

    @Test
    void aMissingDefinitionIsNamedWithItsDoorAndTheRemedyButNoReasonNotToBeReady() {
        assertThat(asked(
                        new WatchHealth.State("pods", 0, 0, "", 0, 0, false),
                        new WatchHealth.State("reservations.scheduling.koordinator.sh", 0, 0, "", 0, 0, true)))
                .isEqualTo(Finding.well(
                        "no definition of reservations.scheduling.koordinator.sh: door reservation is idle."
                                + " Maybe run \"berth install --crds-only | kubectl apply -f -\""));
        assertThat(asked(new WatchHealth.State("holds", 0, 0, "", 0, 0, true)).toString())
                .contains("no definition of holds.berth.dev: door reserve is idle");
    }

    private static Finding asked(WatchHealth.State... states) {
        return new WatchCheck(() -> List.of(states)).ask();
    }
}
