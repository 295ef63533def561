package dev.berth.app.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.planted.Defect;
import dev.berth.testkit.planted.Generator;
import dev.berth.testkit.planted.PlantedDefects;
import dev.berth.testkit.planted.Search;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plants each defect that Berth had and plays the random histories that the page names, until one fails. The page is
 * what is tested: which generator finds which defect, within how many histories.
 */
@Timeout(300)
class PlantedDefectsTest {
    private static final String HEADING = "Planted defects";
    private static final List<Generator> GENERATORS = List.of(
            new Generator("dev.berth.core.twin.History", "failure", 1),
            new Generator("dev.berth.core.door.preemption.RandomOwnersTest", "noRoomIsHeldTwiceAndNoPodWaitsInVain", 1),
            new Generator("dev.berth.core.door.comeback.KilledAtAnyMomentTest", "noPlaceIsLostAndNoneIsGivenTwice", 1),
            new Generator("dev.berth.core.door.reservation.RandomReservationsTest", "whatReservationsSayIsTrue", 1),
            new Generator("dev.berth.core.door.reservation.RandomTenantsTest", "whatTenantsWriteChangesNoClaim", 1),
            new Generator("dev.berth.core.door.device.RandomDevicesTest", "aDeviceIsOfThePodThatBerthBoundWithIt", 1),
            new Generator("dev.berth.core.door.together.AllDoorsTest", "play", 1),
            new Generator("dev.berth.core.door.reserve.RandomGroupsTest", "whatIsKeptIsWhatTheTableSays", 1),
            new Generator("dev.berth.core.placement.PlacerAgainstTwinTest", "history", 20_261_115),
            new Generator("dev.berth.core.reconcile.RandomWritesTest", "aWriteIsSentExactlyWhenTheHistoryAllowsIt", 1),
            new Generator("dev.berth.kubernetes.election.MemberHistoriesTest", "history", 1),
            new Generator("dev.berth.kubernetes.watch.CorruptedHistoriesTest", "history", 4711),
            new Generator("dev.berth.kubernetes.watch.ReflectorTest", "replay", 1),
            new Generator("dev.berth.testkit.simulation.HoldsHistory", "live", 21),
            new Generator("dev.berth.app.run.ServerClockTest", "history", 99));

    private final Search search = new Search(Stream.of("core", "kubernetes", "testkit")
            .map(module -> Table.REPOSITORY.resolve(Path.of(module, "target", "test-classes")))
            .toList());

    /** A row of the page. The defect is found by the generator within so many histories. */
    private record Row(Defect defect, Generator generator, int within, String failed) {
        private static Row of(List<String> cells) {
            assertThat(cells).hasSize(6);
            Defect defect = PlantedDefects.find(cells.get(0));
            assertThat(cells.subList(1, 3))
                    .as("what %s says of defect %s", Table.PAGE, defect.id())
                    .containsExactly(defect.summary(), "`%s`".formatted(defect.place()));
            Generator generator = GENERATORS.stream()
                    .filter(it -> "`%s`".formatted(it.simpleName()).equals(cells.get(3)))
                    .findFirst()
                    .orElseThrow();
            return new Row(defect, generator, Integer.parseInt(cells.get(4)), cells.get(5));
        }

        @Override
        public String toString() {
            return "%s by %s".formatted(defect.id(), generator.simpleName());
        }
    }

    /** All, or those that {@code -Dberth.planted} names, as in {@code 1a by RandomOwnersTest}. */
    static Stream<Row> rows() {
        String wanted = System.getProperty("berth.planted", "");
        return allRows().filter(row -> row.toString().startsWith(wanted));
    }

    private static Stream<Row> allRows() {
        return Table.under(HEADING).stream().map(Row::of);
    }

    @Test
    void everyPlantedDefectIsInTheTable() {
        assertThat(allRows().map(row -> row.defect().id()).distinct())
                .containsExactlyElementsOf(
                        PlantedDefects.ALL.stream().map(Defect::id).toList());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theGeneratorFindsTheDefectWithinItsBudgetAndNothingWithoutIt(Row row) {
        Search.Result planted = search.first(row.defect(), row.generator(), row.within());
        assertThat(planted.found())
                .as("histories of %s that fail, of %d, with %s", row.generator(), row.within(), row.defect())
                .isNotEmpty();
        Search.Result healthy = search.healthy(row.generator(), planted.played());
        assertThat(healthy.found()).as(healthy.problem()).isEmpty();
        System.out.printf("%s: in history %d: %s%n", row, planted.played(), planted.problem());
    }

    /** How many exactly changes with every edit of a generator; half of them would be a weaker generator. */
    @ParameterizedTest
    @MethodSource("rows")
    @Tag("long")
    void theGeneratorFindsTheDefectAboutAsOftenAsTheTableSays(Row row) {
        Search.Result all = search.all(row.defect(), row.generator(), row.within());
        String measured = "%d of %d".formatted(all.found().size(), all.played());
        System.out.printf("%s: %s fail, first %s%n", row, measured, all.found());
        int said = Integer.parseInt(row.failed().replaceAll(" .*", ""));
        assertThat(all.found())
                .as("%s: the table says %s, and measured is %s", row, row.failed(), measured)
                .hasSizeGreaterThanOrEqualTo((said + 1) / 2);
    }
}
