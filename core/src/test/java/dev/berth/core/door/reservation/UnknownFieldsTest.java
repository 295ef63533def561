package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.reservation.Status.Phase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A template with fields that Kubernetes does not have is served, and the reservation names these fields. */
class UnknownFieldsTest {
    private static final String TYPO = "spec.template.spec.nodeSelectors";

    private final Scene scene = new Scene();

    @BeforeEach
    void aClusterWithOneNode() {
        scene.node(aNode("n1").with("8 cpu", "16Gi memory"));
    }

    private static ReservationBuilder reservation() {
        return aReservation("r").keeping("2 cpu");
    }

    private String message() {
        return scene.status("r")
                .condition(Condition.Type.FIELDS_KNOWN)
                .map(Condition::message)
                .orElse("");
    }

    @Test
    void anUnknownFieldIsReportedOnceUntilItIsCorrected() {
        scene.reservation(reservation().withUnknownFields(1, TYPO));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.conditions("r")).contains("Ready=true/Available", "FieldsKnown=false/UnknownFields");
        assertThat(message())
                .isEqualTo("Berth ignores fields of the template that Kubernetes 1.36 does not have:"
                        + " spec.template.spec.nodeSelectors. Correct their names, or remove them");
        scene.restart();
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("UnknownFields: " + message()))
                .as("one event, and none again after a restart")
                .hasSize(1);

        scene.edit(reservation());
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void anotherUnknownFieldReplacesTheMessage() {
        scene.reservation(reservation().withUnknownFields(1, TYPO));
        scene.edit(reservation().withUnknownFields(1, "spec.template.spec.tolerration"));
        assertThat(message()).contains("spec.template.spec.tolerration").doesNotContain(TYPO);
    }

    @Test
    void fiveFieldsAreNamedAndTheOthersCounted() {
        scene.reservation(reservation().withUnknownFields(10_000, "a", "b", "c", "d", "e"));
        assertThat(message()).contains("does not have: a, b, c, d, e and 9995 more. Correct");
    }

    @Test
    void anUnknownFieldIsReportedAlsoIfTheReservationIsMalformedOrHasNoPlace() {
        scene.reservation(reservation().senseless("containers is empty").withUnknownFields(1, TYPO));
        assertThat(scene.conditions("r")).contains("Scheduled=false/Unschedulable", "FieldsKnown=false/UnknownFields");
        scene.edit(aReservation("r").keeping("9 cpu").withUnknownFields(1, TYPO));
        assertThat(scene.conditions("r")).contains("Scheduled=false/Unschedulable", "FieldsKnown=false/UnknownFields");
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("UnknownFields"))
                .hasSize(1);
    }

    @Test
    void aReservationThatEndedReportsNoUnknownFields() {
        scene.reservation(reservation().withUnknownFields(1, TYPO));
        scene.nodeGone("n1");
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
        assertThat(scene.conditions("r")).doesNotContain("FieldsKnown");
    }
}
