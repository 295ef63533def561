package dev.berth.e2e.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every scenario of Koordinator's Reservation that Berth promises has a test, and the documentation names it. */
class ScenarioTableTest {
    private static final Path PAGE = Path.of("docs/doors/koordinator-scenarios.md");
    /** Parts that Berth does not have, one deliberate difference, and devices. */
    private static final Set<Integer> WITHOUT_TEST = Set.of(47, 49, 75, 83, 100);
    /** Koordinator's own end-to-end tests. */
    private static final List<Integer> END_TO_END =
            List.of(1, 2, 5, 6, 16, 17, 18, 30, 31, 32, 60, 67, 101, 102, 103, 106, 107, 108, 125, 126, 132, 137);

    @Test
    void everyScenarioHasATest() throws IOException {
        List<Integer> tested =
                ScenarioTable.readRows().stream().map(ScenarioTable.Row::number).toList();
        assertThat(promised().filter(number -> !tested.contains(number)))
                .as("scenarios without a test")
                .isEmpty();
    }

    private static Stream<Integer> promised() {
        return IntStream.concat(IntStream.rangeClosed(1, 112), IntStream.rangeClosed(125, 150))
                .boxed()
                .filter(number -> !WITHOUT_TEST.contains(number));
    }

    @Test
    void theEndToEndScenariosRunOnARealControlPlane() throws IOException {
        List<Integer> tested = ScenarioTable.readRows().stream()
                .filter(row -> row.module().equals("e2e"))
                .map(ScenarioTable.Row::number)
                .toList();
        assertThat(tested).containsAll(END_TO_END);
    }

    @Test
    void thePageListsTheTests() throws IOException {
        String expected = ScenarioTable.markdown(ScenarioTable.readRows());
        Path generated =
                Files.writeString(Files.createDirectories(Path.of("target")).resolve(PAGE.getFileName()), expected);
        assertThat(Files.readString(SourceTree.ROOT.resolve(PAGE)))
                .as("%s differs from the sources. Copy e2e/%s over it", PAGE, generated)
                .isEqualTo(expected);
    }
}
