package dev.berth.sandbox.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.printers.TableConvertors;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.KindSchema;
import dev.berth.sandbox.unstructured.NestedFields;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case's answer is the one that Kubernetes 1.36 gave. */
final class BuiltInKindsAnswerAsKubernetesTest {

    @TestFactory
    Stream<DynamicTest> objectsAreStoredWithTheSameDefaults() {
        return compare("defaults");
    }

    @TestFactory
    Stream<DynamicTest> metadataAndSmallKindsAreRefusedInTheSameWords() {
        return compare("metadata");
    }

    @TestFactory
    Stream<DynamicTest> nodesAreRefusedInTheSameWords() {
        return compare("nodes");
    }

    @TestFactory
    Stream<DynamicTest> podsAreRefusedInTheSameWords() {
        return compare("pods");
    }

    @TestFactory
    Stream<DynamicTest> workloadsAreRefusedInTheSameWords() {
        return compare("workloads");
    }

    @TestFactory
    Stream<DynamicTest> servicesAreRefusedInTheSameWords() {
        return compare("network");
    }

    @TestFactory
    Stream<DynamicTest> volumesAreRefusedInTheSameWords() {
        return compare("storage");
    }

    @TestFactory
    Stream<DynamicTest> objectsArePrintedInTheSameCells() {
        return compare("tables");
    }

    @TestFactory
    Stream<DynamicTest> everyKindHasTheSameColumns() {
        JsonNode answers = RecordedCase.answers("columns");
        return BuiltInSchemas.load().kinds().stream()
                .filter(kind -> answers.has(kind.toString()))
                .map(kind -> DynamicTest.dynamicTest(
                        kind.toString(), () -> assertThat(columns(kind)).isEqualTo(answers.path(kind.toString()))));
    }

    private static JsonNode columns(KindSchema kind) {
        return NormalizedAnswers.columns(
                TableConvertors.convertToTable(kind.group(), kind.kind(), List.of(), Instant.EPOCH));
    }

    private static Stream<DynamicTest> compare(String file) {
        JsonNode answers = RecordedCase.answers(file);
        return RecordedCase.in(file).stream()
                .map(each -> DynamicTest.dynamicTest(each.name(), () -> compare(each, answers.path(each.name()))));
    }

    private static void compare(RecordedCase each, JsonNode expected) throws JsonProcessingException {
        assertThat(text(BuiltInKindPipeline.answer(each))).isEqualTo(text(expected));
    }

    /** What the plugins of storage protection add is not ours to add: no controller here would take it away. */
    private static String text(JsonNode answer) throws JsonProcessingException {
        ObjectNode copy = answer.deepCopy();
        NestedFields.object(copy, "stored", "metadata").ifPresent(metadata -> {
            String finalizers = metadata.path("finalizers").toString();
            if (finalizers.contains("kubernetes.io/pv-protection")
                    || finalizers.contains("kubernetes.io/pvc-protection")) {
                metadata.remove("finalizers");
            }
        });
        return RecordedCase.YAML.writeValueAsString(copy);
    }
}
