package dev.berth.app.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.mutation.Defect;
import dev.berth.testkit.mutation.DefectSearch;
import dev.berth.testkit.mutation.PlantedDefects;
import dev.berth.testkit.mutation.RandomTest;
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
    private static final List<RandomTest> RANDOM_TESTS = List.of(
            new RandomTest("dev.berth.core.reference.RandomHistory", "run", 1),
            new RandomTest(
                    "dev.berth.core.preemption.RandomPreemptionTest",
                    "noCapacityIsHeldTwiceAndNoPodStaysUnschedulableThatANodeWouldTake",
                    1),
            new RandomTest(
                    "dev.berth.core.door.godel.GodelCrashRecoveryTest",
                    "noReservationIsLostOrClaimedTwiceAcrossRandomRestarts",
                    1),
            new RandomTest(
                    "dev.berth.core.door.koordinator.RandomReservationsTest",
                    "reservationStatusesAreCorrectAfterRandomSteps",
                    1),
            new RandomTest(
                    "dev.berth.core.door.koordinator.RandomTenantEditsTest", "claimsAreUnchangedByWhatTenantsWrite", 1),
            new RandomTest(
                    "dev.berth.core.door.devices.RandomDevicesTest", "aDeviceBelongsToThePodThatBerthBoundWithIt", 1),
            new RandomTest("dev.berth.core.door.alldoors.AllDoorsTest", "play", 1),
            new RandomTest(
                    "dev.berth.core.door.globalreserve.RandomGroupsTest", "theHeldPlacesEqualThoseOfASimpleModel", 1),
            new RandomTest("dev.berth.core.placement.PlacerMatchesReferenceTest", "history", 20_261_115),
            new RandomTest("dev.berth.core.reconcile.RandomWritesTest", "aWriteIsSentExactlyWhenTheHistoryAllowsIt", 1),
            new RandomTest("dev.berth.kubernetes.leaderelection.MemberRegistrySimulationTest", "simulate", 1),
            new RandomTest("dev.berth.kubernetes.watch.CorruptedWatchEventsTest", "simulate", 4711),
            new RandomTest("dev.berth.kubernetes.watch.ReflectorTest", "replay", 1),
            new RandomTest("dev.berth.testkit.simulation.HoldsHistory", "live", 1),
            new RandomTest("dev.berth.app.run.ServerClockTest", "history", 99));

    private final DefectSearch defectSearch = new DefectSearch(Stream.of("core", "kubernetes", "testkit")
            .map(module -> MarkdownTable.REPOSITORY.resolve(Path.of(module, "target", "test-classes")))
            .toList());

    /** A row of the page. The defect is found by the generator within so many histories. */
    private record Row(Defect defect, RandomTest randomTest, int budget, String documentedFailures) {
        private static Row of(List<String> cells) {
            assertThat(cells).hasSize(6);
            Defect defect = PlantedDefects.find(cells.get(0));
            assertThat(cells.subList(1, 3))
                    .as("what %s says of defect %s", MarkdownTable.PAGE, defect.id())
                    .containsExactly(defect.summary(), "`%s`".formatted(defect.location()));
            RandomTest randomTest = RANDOM_TESTS.stream()
                    .filter(it -> "`%s`".formatted(it.simpleName()).equals(cells.get(3)))
                    .findFirst()
                    .orElseThrow();
            return new Row(defect, randomTest, Integer.parseInt(cells.get(4)), cells.get(5));
        }

        @Override
        public String toString() {
            return "%s by %s".formatted(defect.id(), randomTest.simpleName());
        }
    }

    /** All, or those that {@code -Dberth.planted} names, as in {@code 1a by RandomPreemptionTest}. */
    static Stream<Row> rows() {
        String wanted = System.getProperty("berth.planted", "");
        return allRows().filter(row -> row.toString().startsWith(wanted));
    }

    private static Stream<Row> allRows() {
        return MarkdownTable.rowsUnder(HEADING).stream().map(Row::of);
    }

    @Test
    void everyPlantedDefectIsInTheTable() {
        assertThat(allRows().map(row -> row.defect().id()).distinct())
                .containsExactlyElementsOf(
                        PlantedDefects.ALL.stream().map(Defect::id).toList());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theRandomTestFindsTheDefectWithinItsBudgetAndPassesWithoutIt(Row row) {
        DefectSearch.Result planted = defectSearch.untilFirstFailure(row.defect(), row.randomTest(), row.budget());
        assertThat(planted.failedHistories())
                .as("histories of %s that fail, of %d, with %s", row.randomTest(), row.budget(), row.defect())
                .isNotEmpty();
        DefectSearch.Result healthy = defectSearch.withoutDefect(row.randomTest(), planted.historiesPlayed());
        assertThat(healthy.failedHistories()).as(healthy.problem()).isEmpty();
        System.out.printf("%s: in history %d: %s%n", row, planted.historiesPlayed(), planted.problem());
    }

    /** How many exactly changes with every edit of a generator; half of them would be a weaker generator. */
    @ParameterizedTest
    @MethodSource("rows")
    @Tag("long")
    void theRandomTestFindsTheDefectAsOftenAsDocumented(Row row) {
        DefectSearch.Result all = defectSearch.withDefect(row.defect(), row.randomTest(), row.budget());
        String measured = "%d of %d".formatted(all.failedHistories().size(), all.historiesPlayed());
        System.out.printf("%s: %s fail, first %s%n", row, measured, all.failedHistories());
        int said = Integer.parseInt(row.documentedFailures().replaceAll(" .*", ""));
        assertThat(all.failedHistories())
                .as("%s: the table says %s, and measured is %s", row, row.documentedFailures(), measured)
                .hasSizeGreaterThanOrEqualTo((said + 1) / 2);
    }
}
