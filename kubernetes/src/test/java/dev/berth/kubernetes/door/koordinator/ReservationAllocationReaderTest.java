package dev.berth.kubernetes.door.koordinator;

import static dev.berth.core.testing.Amounts.amounts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.FieldWarnings;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationAllocation;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.Scenario;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ReadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The annotations and fields that say how much of a Reservation its owners get. */
class ReservationAllocationReaderTest {
    private static final String RESTRICTED_OPTIONS = "scheduling.koordinator.sh/reservation-restricted-options";
    private static final String INNER_RESERVED = "node.koordinator.sh/reservation";

    @Test
    @Scenario(48)
    void restrictedOptionsAreRead() {
        assertThat(allocation(Map.of(RESTRICTED_OPTIONS, "{\"resources\":[\"cpu\",\"example.com/gpu\"]}")))
                .isEqualTo(new ReservationAllocation(
                        true, Set.of(ResourceName.CPU, new ResourceName("example.com/gpu")), Resources.NONE));
        for (String none : List.of("{}", "{\"resources\":[]}", "{\"resources\":null}", "")) {
            assertThat(allocation(Map.of(RESTRICTED_OPTIONS, none))).isEqualTo(ReservationAllocation.RESTRICTED);
        }
    }

    @Test
    @Scenario(43)
    void innerReservedAmountsAreRead() {
        assertThat(allocation(Map.of(INNER_RESERVED, "{\"resources\":{\"cpu\":\"1500m\",\"memory\":\"1Gi\"}}")))
                .isEqualTo(new ReservationAllocation(true, Set.of(), amounts("1500m cpu", "1Gi memory")));
        assertThat(allocation(Map.of(INNER_RESERVED, "{}"))).isEqualTo(ReservationAllocation.RESTRICTED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                RESTRICTED_OPTIONS + " | [\"cpu\"] | ([\"cpu\"]) is invalid: malformed JSON",
                RESTRICTED_OPTIONS
                        + " | {\"resources\":\"cpu\"} | ({\"resources\":\"cpu\"}) is invalid: its resources are no list",
                RESTRICTED_OPTIONS
                        + " | {\"resources\":[1]} | ({\"resources\":[1]}) is invalid: its resources are no list of names",
                INNER_RESERVED + " | cpu=1 | (cpu=1) is invalid: malformed JSON",
                INNER_RESERVED
                        + " | {\"resources\":[\"cpu\"]} | ({\"resources\":[\"cpu\"]}) is invalid: resources is not an object",
                INNER_RESERVED + " | {\"resources\":{\"cpu\":\"x\"}} | ({\"resources\":{\"cpu\":\"x\"}}) is invalid: ",
                INNER_RESERVED
                        + " | {\"resources\":{\"cpu\":\"-1\"}} | ({\"resources\":{\"cpu\":\"-1\"}}) is invalid: the amount of cpu (-1) is negative"
            })
    void aMalformedAnnotationIsReportedWithItsValueAndTheCorrectForm(String key, String value, String words) {
        Reservation read = read(Map.of(key, value), Map.of("cpu", "4"));
        assertThat(read.spec()).isEmpty();
        assertThat(read.problem())
                .startsWith("annotation %s %s".formatted(key, words))
                .contains("The correct form is {\"resources\":");
    }

    @Test
    void unknownKeysOfTheRestrictedOptionsAreReportedAndTheOthersCount() {
        assertThat(allocation(Map.of(RESTRICTED_OPTIONS, "{\"resources\":[\"cpu\"],\"x\":1}")))
                .isEqualTo(new ReservationAllocation(true, Set.of(ResourceName.CPU), Resources.NONE));
        assertThat(allocation(Map.of(RESTRICTED_OPTIONS, "{\"resource\":[\"cpu\"]}")))
                .as("all resources are restricted")
                .isEqualTo(ReservationAllocation.RESTRICTED);
        assertThat(warnings(Map.of(RESTRICTED_OPTIONS, "{\"resource\":[\"cpu\"],\"x\":1}")))
                .containsExactly("Berth ignores keys of the annotation " + RESTRICTED_OPTIONS
                        + " that are unknown: resource, x. The known keys are resources");
        assertThat(warnings(Map.of(RESTRICTED_OPTIONS, "{\"Resources\":[\"cpu\"]}")))
                .isEmpty();
    }

    @Test
    void anUnknownKeyOfTheInnerReservedAmountsIsMalformed() {
        assertThat(read(Map.of(INNER_RESERVED, "{\"resource\":{\"cpu\":\"1\"}}"), Map.of("cpu", "4"))
                        .problem())
                .isEqualTo("annotation node.koordinator.sh/reservation ({\"resource\":{\"cpu\":\"1\"}}) is invalid:"
                        + " key resource is unknown, the known keys there are applyPolicy, reservedCPUs, resources");
    }

    private static List<String> warnings(Map<String, String> annotations) {
        return read(annotations, Map.of("cpu", "4")).fieldWarnings().others().stream()
                .map(FieldWarnings.FieldWarning::message)
                .toList();
    }

    @Test
    void ofALongMalformedAnnotationOnlyTheBeginningIsQuoted() {
        String value = "x".repeat(100_000);
        for (String key : List.of(
                RESTRICTED_OPTIONS, INNER_RESERVED, "scheduling.koordinator.sh/reservation-resize-allocatable")) {
            assertThat(read(Map.of(key, value), Map.of("cpu", "4")).problem())
                    .startsWith("annotation %s (%s...) is invalid: ".formatted(key, "x".repeat(200)))
                    .hasSizeLessThan(1_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"reservedCPUs, 0-3", "applyPolicy, ReservedCPUsOnly"})
    void cpusByNumberAreRejected(String field, String value) {
        String annotation = "{\"resources\":{\"cpu\":\"1\"},\"%s\":\"%s\"}".formatted(field, value);
        assertThat(read(Map.of(INNER_RESERVED, annotation), Map.of("cpu", "4")).problem())
                .isEqualTo(
                        "annotation node.koordinator.sh/reservation: %s (%s) is not supported,".formatted(field, value)
                                + " because Berth does not assign cpus by number. Remove it");
    }

    @Test
    @Scenario(42)
    void podsAmongTheRequestsOfTheTemplateAreRead() {
        assertThat(requests(Map.of("cpu", "4"))).isEqualTo(amounts("4 cpu"));
        assertThat(requests(Map.of("cpu", "4", "pods", "2"))).isEqualTo(amounts("4 cpu", "2 pods"));
    }

    private static Resources requests(Map<String, String> requests) {
        return read(Map.of(), requests).spec().orElseThrow().template().spec().requests();
    }

    private static ReservationAllocation allocation(Map<String, String> annotations) {
        Reservation read = read(annotations, Map.of("cpu", "4"));
        assertThat(read.problem()).isEmpty();
        return read.spec().orElseThrow().allocation();
    }

    private static Reservation read(Map<String, String> annotations, Map<String, String> requests) {
        Map<String, Object> container = Map.of("name", "main", "resources", Map.of("requests", requests));
        byte[] object = JsonObject.EMPTY
                .with("r", "metadata", "name")
                .with("u", "metadata", "uid")
                .with("2026-01-01T00:00:00Z", "metadata", "creationTimestamp")
                .with(annotations, "metadata", "annotations")
                .with(List.of(container), "spec", "template", "spec", "containers")
                .with(List.of(Map.of("labelSelector", Map.of())), "spec", "owners")
                .with("Restricted", "spec", "allocatePolicy")
                .toBytes();
        List<ReadResult<Reservation>> results = new ArrayList<>();
        new StreamReaders()
                .readObject(WireFormat.JSON, object, in -> results.add(new ReservationProjection().read(in)));
        return results.get(0).view().orElseThrow(() -> new AssertionError(new String(object, UTF_8)));
    }
}
