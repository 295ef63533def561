package dev.berth.kubernetes.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.resource.ResourceName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReservationConstraintsReaderTest {
    private static final String AFFINITY = "scheduling.koordinator.sh/reservation-affinity";
    private static final String EXACT_MATCH = "scheduling.koordinator.sh/exact-match-reservation";

    private final PodProjection projection = new PodProjection(annotation -> true);

    @Test
    void readsAllPartsOfAnAffinity() {
        ReservationAffinity affinity = read(AFFINITY, """
                {"reservationSelector": {"team": "x"},
                 "requiredDuringSchedulingIgnoredDuringExecution": {"reservationSelectorTerms": [
                   {"matchExpressions": [{"key": "fast", "operator": "In", "values": ["true"]}]},
                   {"matchFields": [{"key": "metadata.name", "operator": "NotIn", "values": ["old"]}]}]},
                 "tolerations": [{"key": "a", "operator": "Exists", "effect": "NoSchedule"}, {"key": "b", "value": "c"}]}""").affinity().orElseThrow();
        assertThat(affinity)
                .isEqualTo(new ReservationAffinity(
                        Optional.empty(),
                        Labels.of("team", "x"),
                        Optional.of(List.of(
                                new NodeSelectorTerm(
                                        List.of(new Requirement("fast", Requirement.Operator.IN, List.of("true"))),
                                        List.of()),
                                new NodeSelectorTerm(
                                        List.of(),
                                        List.of(new Requirement(
                                                "metadata.name", Requirement.Operator.NOT_IN, List.of("old")))))),
                        List.of(
                                new Toleration(
                                        "a",
                                        Toleration.Operator.EXISTS,
                                        "",
                                        Optional.of(Taint.TaintEffect.NO_SCHEDULE)),
                                new Toleration("b", Toleration.Operator.EQUAL, "c", Optional.empty()))));
    }

    @Test
    void readsTheName() {
        assertThat(read(AFFINITY, "{\"name\":\"r\"}").affinity()).contains(ReservationAffinity.ofName("r"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{}", "null", "{\"name\":null}"})
    void anAnnotationWithoutConditionsMatchesAnyReservation(String text) {
        assertThat(read(AFFINITY, text)).isEqualTo(ReservationConstraints.ofAffinity(ReservationAffinity.ANY));
    }

    @Test
    void readsTheNamesOfAnExactMatch() {
        assertThat(read(EXACT_MATCH, "{\"resourceNames\":[\"cpu\",\"example.com/gpu\",\"cpu\"]}")
                        .exactMatch())
                .containsExactly(ResourceName.CPU, new ResourceName("example.com/gpu"));
        assertThat(read(EXACT_MATCH, "")).isEqualTo(ReservationConstraints.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{                                               | malformed JSON",
                "[]                                              | malformed JSON: not an object",
                "{\"name\":7}                                    | name (7) must be a string",
                "{\"reservationSelector\":{\"a\":1}}             | a (1) must be a string",
                "{\"reservationSelector\":\"a\"}                 | reservationSelector must be an object",
                "{\"tolerations\":{}}                            | tolerations ({}) must be a list",
                "{\"tolerations\":[{\"operator\":\"Has\"}]}      | operator (Has) of a toleration must be Equal or Exists",
                "{\"tolerations\":[{\"value\":\"x\"}]}           | toleration without a key must have operator Exists",
                "{\"tolerations\":[{\"key\":\"x\",\"effect\":\"Stay\"}]} | effect (Stay) must be NoSchedule",
                "{\"requiredDuringSchedulingIgnoredDuringExecution\":{}} | reservationSelectorTerms is empty",
                "{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"reservationSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\"}]}]}} | does not allow values ([])",
                "{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"reservationSelectorTerms\":[{\"matchFields\":[{\"key\":\"spec\",\"operator\":\"Exists\"}]}]}} | key (spec) in matchFields must be metadata.name",
                "{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"reservationSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Is\"}]}]}} | operator (Is) must be In"
            })
    void aMalformedAffinityIsAProblemOfThePodThatNamesTheAnnotationItsValueAndTheCorrectForm(String text, String why) {
        Pod pod = pod(AFFINITY, text);
        assertThat(pod.spec().invalidReason().orElseThrow())
                .startsWith("annotation %s (%s) is invalid: "
                        .formatted(AFFINITY, text.length() <= 200 ? text : text.substring(0, 200) + "..."))
                .contains(why)
                .contains(". The correct form is {\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"nmae\":\"r\"} | key nmae is unknown, the known keys there are name, requiredDuringSchedulingIgnoredDuringExecution, reservationSelector, tolerations",
                "{\"name\":\"r\",\"selector\":{}} | key selector is unknown",
                "{\"tolerations\":[{\"key\":\"x\",\"operator\":\"Exists\"},{\"kye\":\"y\"}]} | key tolerations[1].kye is unknown, the known keys there are effect, key, operator, tolerationSeconds, value",
                "{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":[]}} | key requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms is unknown, the known keys there are reservationSelectorTerms",
                "{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"reservationSelectorTerms\":[{\"matchExpression\":[]}]}} | reservationSelectorTerms[0].matchExpression is unknown"
            })
    void anUnknownKeyOfTheAffinityKeepsThePodFromAnotherReservation(String text, String why) {
        assertThat(pod(AFFINITY, text).spec().invalidReason().orElseThrow())
                .startsWith("annotation %s (%s) is invalid: ".formatted(AFFINITY, text))
                .contains(why);
    }

    @Test
    void anUnknownKeyOfTheExactMatchIsAProblemOfThePod() {
        assertThat(read(EXACT_MATCH, "{\"resourceName\":[\"cpu\"]}").problem())
                .contains("annotation " + EXACT_MATCH + " ({\"resourceName\":[\"cpu\"]}) is invalid:"
                        + " key resourceName is unknown, the known keys there are resourceNames");
    }

    @Test
    void asInKoordinatorTheCaseOfAKeyDoesNotCount() {
        assertThat(read(AFFINITY, "{\"Name\":\"r\"}").affinity()).contains(ReservationAffinity.ofName("r"));
        assertThat(read(EXACT_MATCH, "{\"resourcenames\":[\"cpu\"]}").exactMatch())
                .containsExactly(ResourceName.CPU);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"requiredDuringSchedulingIgnoredDuringExecution\":{}} | {\"requiredDuringSchedulingIgnoredDuringExecution\":{\"reservationSelectorTerms\":[",
                "{\"tolerations\":{}} | {\"tolerations\":[{\"key\":\"dedicated\"",
                "{\"name\":7} | {\"name\":\"my-reservation\"}"
            })
    void theCorrectFormIsThatOfTheMalformedPart(String text, String form) {
        assertThat(read(AFFINITY, text).problem().orElseThrow()).contains(". The correct form is " + form);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"resourceNames\":\"cpu\"}", "{\"resourceNames\":[1]}", "{\"resourceNames\":[\" \"]}", "7"})
    void aMalformedExactMatchIsAProblemOfThePod(String text) {
        assertThat(read(EXACT_MATCH, text).problem().orElseThrow())
                .startsWith("annotation %s (%s) is invalid: ".formatted(EXACT_MATCH, text))
                .contains("{\"resourceNames\":[\"cpu\",\"memory\"]}");
    }

    @Test
    void aLongMalformedValueIsCut() {
        assertThat(read(AFFINITY, "x".repeat(100_000)).problem().orElseThrow()).hasSizeLessThan(1000);
    }

    @Test
    void tooManyTermsMakeThePodInvalid() {
        String expression = "{\"key\":\"a\",\"operator\":\"Exists\"}";
        String terms = "{\"matchExpressions\":[" + (expression + ",").repeat(100) + expression + "]}";
        Pod pod = pod(
                AFFINITY,
                "{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"reservationSelectorTerms\":[%s]}}"
                        .formatted(terms));
        assertThat(pod.spec().invalidReason().orElseThrow()).contains("101").contains("the maximum is 100");
    }

    @Test
    void thePodDoesNotKeepTheTextsAndPodsOfOneTemplateShareTheResult() {
        Pod first = pod(AFFINITY, "{\"name\":\"r\"}");
        Pod second = pod(AFFINITY, "{\"name\":\"r\"}");
        assertThat(first.annotations().isEmpty()).isTrue();
        assertThat(first.spec()).isSameAs(second.spec());
        assertThat(pod("other", "x").spec().reservations()).isSameAs(ReservationConstraints.NONE);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "'false', false", "'True', false", "'', false"})
    void aPodIgnoresReservationsIfTheLabelIsTrue(String value, boolean ignored) {
        ObjectNode pod =
                WireObjects.yaml("{apiVersion: v1, kind: Pod, metadata: {name: p, uid: p}, spec: {containers: []}}");
        pod.withObject("metadata").withObject("labels").put(ReservationConstraints.IGNORED_LABEL, value);
        pod.withObject("metadata").withObject("annotations").put(AFFINITY, "{\"name\":\"r\"}");

        ReservationConstraints read = WireObjects.readFromJson(projection, pod)
                .view()
                .orElseThrow()
                .pod()
                .spec()
                .reservations();

        assertThat(read.ignored()).isEqualTo(ignored);
        assertThat(read.areRequired()).isEqualTo(!ignored);
    }

    private ReservationConstraints read(String annotation, String text) {
        return pod(annotation, text).spec().reservations();
    }

    private Pod pod(String annotation, String text) {
        ObjectNode pod =
                WireObjects.yaml("{apiVersion: v1, kind: Pod, metadata: {name: p, uid: p}, spec: {containers: []}}");
        pod.withObject("metadata").withObject("annotations").put(annotation, text);
        return WireObjects.readFromJson(projection, pod).view().orElseThrow().pod();
    }
}
