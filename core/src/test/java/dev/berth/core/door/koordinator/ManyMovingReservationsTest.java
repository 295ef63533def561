package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.AllocatedBytes;
import dev.berth.core.testing.NodeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Thousands of unused reservations on nodes that are not ready, recover and fail again. Half of the nodes of the zone stay
 * ready, so that the zone does not stop the moves.
 */
class ManyMovingReservationsTest {
    private static final int MANY = 5_000;
    private static final int PER_NODE = 10;
    private static final int MOVES_PER_MINUTE = 60;
    /** What the limit allows at once after a minute without moves, and the second in which the first move is due. */
    private static final int BURST = MOVES_PER_MINUTE + 1;

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void theLimitHoldsAndNoReservationIsLostWhileNodesFlap() {
        Cluster cluster = new Cluster(MANY);
        List<Integer> moved = new ArrayList<>();
        for (int cycle = 0; cycle < 3; cycle++) {
            cluster.setReady(false);
            cluster.advance(Duration.ofMinutes(5).plusSeconds(1));
            for (int minute = 0; minute < 3; minute++) {
                cluster.advance(Duration.ofMinutes(1));
                moved.add(cluster.moved());
            }
            cluster.setReady(true);
            cluster.advance(Duration.ofSeconds(30));
        }
        for (int i = 1; i < moved.size(); i++) {
            assertThat(moved.get(i) - moved.get(i - 1))
                    .as("moves in a minute, in all: %s", moved)
                    .isLessThanOrEqualTo(MOVES_PER_MINUTE + BURST);
        }
        int minutesOfMoves = moved.size();
        assertThat(moved.get(moved.size() - 1))
                .as("moves in %s", moved)
                .isBetween(minutesOfMoves * MOVES_PER_MINUTE, minutesOfMoves * MOVES_PER_MINUTE + 3 * BURST);
        cluster.assertNothingIsLost();

        int before = cluster.moved();
        cluster.cordonFirst();
        cluster.advance(Duration.ofSeconds(5));
        assertThat(cluster.on("bad-0"))
                .as("reservations on the cordoned node: no move of before blocks them")
                .isZero();
        assertThat(cluster.moved()).isGreaterThan(before);
        cluster.assertNothingIsLost();
    }

    /** In a minute so many move. Those that wait for later minutes must cost little, or all moves cost O(reservations²). */
    @Test
    void theCostOfAMinuteHardlyGrowsWithTheReservationsThatWait() {
        long few = costOfAMinute(MANY / 4);
        long many = costOfAMinute(MANY);
        assertThat(many).as("bytes for %d, and %d for a quarter", many, few).isLessThan(3 * few);
    }

    private static long costOfAMinute(int reservations) {
        Cluster cluster = new Cluster(reservations);
        cluster.setReady(false);
        cluster.advance(Duration.ofMinutes(5).plusSeconds(1));
        return AllocatedBytes.measure(() -> cluster.advance(Duration.ofMinutes(1)));
    }

    /** A scheduler beside an API server that accepts every status. */
    private static final class Cluster {
        private final Map<String, Reservation> reservations = new HashMap<>();
        private final Ledger ledger = new Ledger();
        private final Scheduler scheduler = aScheduler(ledger)
                .serving(Set.of(KoordinatorScene.SCHEDULER))
                .withDoors(new KoordinatorDoor(
                        new KoordinatorSettings(Set.of(KoordinatorScene.SCHEDULER), ReservationSettings.DEFAULT)))
                .build();
        private final int badNodes;
        private Instant now = START;
        private int versions;
        private int moved;

        private Cluster(int count) {
            badNodes = count / PER_NODE;
            for (int i = 0; i < count; i++) {
                String name = "r" + i;
                show(aReservation(name)
                        .requesting("1 cpu")
                        .createdAt(START)
                        .withStatus(ReservationStatus.ABSENT.toAvailable(
                                "bad-" + i % badNodes, amounts("1 cpu", "1 pods"), START))
                        .build("v0"));
            }
            for (int i = 0; i < badNodes; i++) {
                show(node("bad-" + i));
                show(node("spare-" + i));
            }
            turn();
        }

        private static NodeBuilder node(String name) {
            return aNode(name).with(PER_NODE + " cpu", "100 pods").inZone("a");
        }

        private void show(NodeBuilder node) {
            scheduler.apply(new Fact.NodeUpserted(node.build()), now);
        }

        private void show(Reservation reservation) {
            reservations.put(reservation.name(), reservation);
            scheduler.apply(new ReservationFact.Upserted(reservation), now);
        }

        private void setReady(boolean ready) {
            for (int i = 0; i < badNodes; i++) {
                show(ready ? node("bad-" + i) : node("bad-" + i).notReadySince(now));
            }
            turn();
        }

        private void cordonFirst() {
            show(node("bad-0").unschedulable());
            turn();
        }

        /** By seconds, each with enough turns for a move. */
        private void advance(Duration time) {
            for (long second = 0; second < time.toSeconds(); second++) {
                now = now.plusSeconds(1);
                turn();
                turn();
                turn();
            }
        }

        private void turn() {
            scheduler.advance(now);
            scheduler.reconcileComponents(now);
            List<Effect> effects = new ArrayList<>(scheduler.drainEffects());
            for (Optional<List<Effect>> next = scheduler.scheduleOne(now);
                    next.isPresent();
                    next = scheduler.scheduleOne(now)) {
                effects.addAll(next.get());
            }
            effects.addAll(scheduler.drainEffects());
            for (Effect effect : effects) {
                if (effect instanceof ReservationWrite.UpdateStatus write) {
                    answer(write);
                }
            }
        }

        private void answer(ReservationWrite.UpdateStatus write) {
            Reservation before = requireNonNull(reservations.get(write.name()));
            boolean current = write.resourceVersion().equals(before.resourceVersion());
            if (current) {
                moved += before.status().nodeName().equals(write.status().nodeName()) ? 0 : 1;
                versions++;
                show(aReservation(write.name())
                        .requesting("1 cpu")
                        .createdAt(START)
                        .withStatus(write.status())
                        .build("v" + versions));
            }
            scheduler.onWriteResult(
                    write,
                    current ? WriteResult.WRITTEN : new WriteResult(WriteResult.ResultKind.CONFLICT, "changed"),
                    now);
        }

        private int moved() {
            return moved;
        }

        private long on(String node) {
            return reservations.values().stream()
                    .filter(it -> it.status().nodeName().equals(node))
                    .count();
        }

        private void assertNothingIsLost() {
            assertThat(Invariants.check(ledger.snapshot())).isEmpty();
            for (Reservation reservation : reservations.values()) {
                assertThat(reservation.status().isAvailable())
                        .as("%s", reservation)
                        .isTrue();
                assertThat(ledger.holdState(reservation.holdId()))
                        .as("the hold of %s", reservation.name())
                        .hasValueSatisfying(hold -> {
                            assertThat(hold.nodeName())
                                    .contains(reservation.status().nodeName());
                            assertThat(hold.outstanding().get(ResourceName.CPU)).isEqualTo(1_000);
                        });
            }
        }
    }
}
