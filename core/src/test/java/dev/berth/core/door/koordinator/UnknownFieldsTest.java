package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A template with fields that Kubernetes does not have is served, and the reservation names these fields. */
class UnknownFieldsTest {
    private static final String TYPO = "spec.template.spec.nodeSelectors";

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory"));
    }

    private static ReservationBuilder reservation() {
        return aReservation("r").requesting("2 cpu");
    }

    private String message() {
        return cluster.status("r")
                .findCondition(ReservationCondition.Type.FIELDS_KNOWN)
                .map(ReservationCondition::message)
                .orElse("");
    }

    @Test
    void anUnknownFieldIsReportedOnceUntilItIsCorrected() {
        cluster.createReservation(reservation().withUnknownFields(1, TYPO));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.conditions("r")).contains("Ready=true/Available", "FieldsValid=false/UnknownFields");
        assertThat(message())
                .isEqualTo("Berth ignores fields of the template that Kubernetes 1.36 does not have:"
                        + " spec.template.spec.nodeSelectors. Correct their names, or remove them");
        cluster.restart();
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("UnknownFields: " + message()))
                .as("one event, and none again after a restart")
                .hasSize(1);

        cluster.edit(reservation());
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void anotherUnknownFieldReplacesTheMessage() {
        cluster.createReservation(reservation().withUnknownFields(1, TYPO));
        cluster.edit(reservation().withUnknownFields(1, "spec.template.spec.tolerration"));
        assertThat(message()).contains("spec.template.spec.tolerration").doesNotContain(TYPO);
    }

    @Test
    void anUnknownKeyOfAnAnnotationIsInTheSameCondition() {
        cluster.createReservation(
                reservation().withUnknownFields(1, TYPO).withWarning("UnknownFields", "the annotation has a typo"));
        assertThat(message()).contains(TYPO).endsWith(". the annotation has a typo");
        cluster.edit(reservation().withWarning("UnknownFields", "the annotation has a typo"));
        assertThat(message()).isEqualTo("the annotation has a typo");
        assertThat(cluster.conditions("r")).contains("Ready=true/Available", "FieldsValid=false/UnknownFields");
    }

    @Test
    void fiveFieldsAreNamedAndTheOthersCounted() {
        cluster.createReservation(reservation().withUnknownFields(10_000, "a", "b", "c", "d", "e"));
        assertThat(message()).contains("does not have: a, b, c, d, e and 9995 more. Correct");
    }

    @Test
    void anUnknownFieldIsReportedAlsoIfTheReservationIsMalformedOrHasNoPlace() {
        cluster.createReservation(reservation().malformed("containers is empty").withUnknownFields(1, TYPO));
        assertThat(cluster.conditions("r"))
                .contains("Scheduled=false/InvalidReservation", "FieldsValid=false/UnknownFields");
        cluster.edit(aReservation("r").requesting("9 cpu").withUnknownFields(1, TYPO));
        assertThat(cluster.conditions("r"))
                .contains("Scheduled=false/Unschedulable", "FieldsValid=false/UnknownFields");
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("UnknownFields"))
                .hasSize(1);
    }

    @Test
    void aReservationThatEndedReportsNoUnknownFields() {
        cluster.createReservation(reservation().onNode("n1").withUnknownFields(1, TYPO));
        cluster.deleteNode("n1");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.conditions("r")).doesNotContain("FieldsValid");
    }
}
