package dev.berth.kubernetes.door.nodeannotation;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.door.nodeannotation.NodeReservedResources;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeAnnotationParserTest {
    private static final String LIST = "reserve.kubernetes.io/resources";

    @Test
    void singleAnnotationReservesAQuantityForAnOwner() {
        NodeReservedResources read =
                read(Map.of("reserve.cpu/a8f6", "5000m", "reserve.memory/a8f6", "1Gi", "other/key", "x"));
        assertThat(read.problems()).isEmpty();
        assertThat(read.reservedByOwner()).isEqualTo(Map.of("a8f6", amounts("5 cpu", "1Gi memory")));
    }

    @Test
    void theListCountsNumbersInThousandthsOfACpuAndInBytes() {
        NodeReservedResources read = read(Map.of(LIST, """
                [{"owner_type":"ReplicaSet","owner_uid":"a8f6","pod_name":"x",
                  "reserved_resources":[{"resource_type":"cpu","reserved_quanty":4000},
                                        {"resource_type":"memory","reserved_quanty":134217728}]}]"""));
        assertThat(read.problems()).isEmpty();
        assertThat(read.reservedByOwner()).isEqualTo(Map.of("a8f6", amounts("4 cpu", "128Mi memory")));
    }

    @Test
    void aTextInTheListIsAQuantityAndKeysMayBeInAnyCase() {
        NodeReservedResources read = read(
                Map.of(
                        LIST,
                        "[{\"Owner_UID\":\"u\",\"Reserved_Resources\":[{\"RESOURCE_type\":\"cpu\",\"reserved_quanty\":\"4000m\"}]}]"));
        assertThat(read.problems()).isEmpty();
        assertThat(read.reservedByOwner()).isEqualTo(Map.of("u", amounts("4 cpu")));
    }

    @Test
    void singleAnnotationsAndTheListAddUp() {
        NodeReservedResources read = read(
                Map.of(
                        "reserve.cpu/u",
                        "1",
                        LIST,
                        "[{\"owner_uid\":\"u\",\"reserved_resources\":[{\"resource_type\":\"cpu\",\"reserved_quanty\":500}]}]"));
        assertThat(read.reservedByOwner()).isEqualTo(Map.of("u", amounts("1500m cpu")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            reserve.cpu/u  | 5 apples | reserve.cpu/u
            reserve.cpu/u  | -1       | is negative
            reserve.cpu/u  | ''       | reserve.cpu/u
            reserve.cpu    | 1        | has no owner UID
            reserve.gpu/u  | 1        | annotations cannot reserve the resource (gpu)
            reserve.kubernetes.io/other | 1      | unknown annotation (reserve.kubernetes.io/other). Maybe write reserve.kubernetes.io/resources
            reserve.kubernetes.io/resources | {}       | not a list
            reserve.kubernetes.io/resources | [        | malformed JSON
            reserve.kubernetes.io/resources | [] []    | more follows after the list
            reserve.kubernetes.io/resources | [1]      | item 0: owner_uid (nothing) must be a UID
            reserve.kubernetes.io/resources | [{"owner_uid":"u"}] | reserved_resources (nothing) must be a list
            reserve.kubernetes.io/resources | [{"owner_uid":"u","reserved_resources":[{"resource_type":"gpu","reserved_quanty":1}]}] | resource_type (gpu) must be cpu
            reserve.kubernetes.io/resources | [{"owner_uid":"u","reserved_resources":[{"resource_type":"cpu"}]}] | reserved_quanty (nothing) of cpu
            reserve.kubernetes.io/resources | [{"owner_uid":"u","reserved_resources":[{"resource_type":"cpu","reserved_quanty":-5}]}] | is negative
            """)
    void malformedAnnotationIsReportedAndTheRestCounts(String key, String value, String message) {
        NodeReservedResources read = read(Map.of(key, value, "reserve.memory/other", "1Gi"));
        assertThat(read.problems()).singleElement().asString().contains(message);
        assertThat(read.reservedByOwner()).isEqualTo(Map.of("other", amounts("1Gi memory")));
    }

    @Test
    void unsupportedResourceWithADotIsReportedAsReservingNothing() {
        NodeReservedResources read = read(Map.of("reserve.nvidia.com-gpu/a8f6f901-47c9-4475-b1f4-cac44597e173", "1"));
        assertThat(read.problems())
                .as("the author would believe that a GPU is kept")
                .singleElement()
                .asString()
                .contains("annotations cannot reserve the resource (nvidia.com-gpu)");
        assertThat(read.reservedByOwner()).isEmpty();
    }

    @Test
    void unsupportedResourceWithASlashIsReportedWithTheSupportedForm() {
        NodeReservedResources read = read(Map.of("reserve.nvidia.com/gpu", "1"));
        assertThat(read.problems())
                .as("the author would believe that a GPU is kept")
                .containsExactly(
                        "annotation (reserve.nvidia.com/gpu): annotations cannot reserve the resource (nvidia.com/gpu), only cpu, memory, ephemeral-storage and hugepages-<size>, by reserve.<resource>/<uid of the owner>. A Reservation can reserve any resource.");
        assertThat(read.reservedByOwner()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reserve.gpu", "reserve.nvidia.com"})
    void aResourceThatCannotBeKeptIsNotAdvisedToNameAnOwner(String key) {
        assertThat(read(Map.of(key, "1")).problems())
                .singleElement()
                .asString()
                .contains("annotations cannot reserve")
                .doesNotContain("has no owner UID");
    }

    @Test
    void reserveAnnotationsOfOtherDomainsAreIgnored() {
        NodeReservedResources read = read(Map.of("reserve.example.com/x", "true", "reserve.example.com", "y"));
        assertThat(read.problems()).isEmpty();
        assertThat(read.reservedByOwner()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "[{\"owner_uid\":", "[oops]", "[\"open"})
    void malformedJsonIsReportedByPositionWithoutParserSettings(String json) {
        assertThat(read(Map.of(LIST, json)).problems())
                .singleElement()
                .asString()
                .contains(", at line 1, column ")
                .doesNotContain("Source", "Feature");
    }

    private static NodeReservedResources read(Map<String, String> annotations) {
        Node plain = aNode("n1").with("6 cpu", "8Gi memory", "10 pods").build();
        return NodeAnnotationParser.parse(new Node(
                plain.uid(),
                plain.name(),
                plain.labels(),
                Labels.of(annotations),
                plain.allocatable(),
                false,
                plain.taints(),
                plain.images()));
    }
}
