package dev.berth.core.door.comeback;

import static dev.berth.core.testing.HoldBuilder.aHold;

import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A hold that pods use together. Its owners are edited at random, and it is deleted and created again: places that draw on
 * it lose their room or keep it beside the hold.
 */
final class SharedHold {
    static final String NODE = "n1";
    private static final HoldId ID = new HoldId("reservation/shared");
    private static final int CPU = 4;
    private static final Taint TAINT = new Taint("team", "a", Taint.Effect.NO_SCHEDULE);

    private final Scene scene;
    private final boolean tainted;
    private Optional<Hold> hold = Optional.empty();
    private boolean edited;

    /** @param tainted whether its users have to tolerate something */
    SharedHold(Scene scene, boolean tainted) {
        this.scene = scene;
        this.tainted = tainted;
    }

    /** Whether its owners were edited, or it was deleted: places that draw on it may end. */
    boolean wasEdited() {
        return edited;
    }

    void create() {
        show("web");
    }

    private void show(String app) {
        Hold next =
                aHold(ID.value())
                        .on(NODE)
                        .keeping(CPU + " cpu", "10 pods")
                        .forPodsLabelled("app", app)
                        .build()
                        .toBuilder()
                        .taints(tainted ? List.of(TAINT) : List.of())
                        .listed(scene.usersOf(ID))
                        .build();
        hold = Optional.of(next);
        scene.untell(ID).tell(new Fact.HoldSeen(next)).settle();
    }

    /** The pod may use it, or might if its owners were others. */
    void own(PodBuilder pod, Random random) {
        own(pod, random.nextInt(3) == 0 ? "db" : "web");
    }

    /** The pod may use it. */
    void own(PodBuilder pod) {
        own(pod, "web");
    }

    private void own(PodBuilder pod, String app) {
        pod.labelled("app", app);
        if (tainted) {
            Toleration toleration =
                    new Toleration(TAINT.key(), Toleration.Operator.EQUAL, TAINT.value(), Optional.empty());
            pod.shaped(shape -> shape.tolerations(List.of(toleration)));
        }
    }

    void change(Random random) {
        if (hold.isEmpty()) {
            if (scene.cpuFree(NODE) >= 1_000 * CPU) {
                show("web");
            }
            return;
        }
        edited = true;
        if (random.nextInt(3) == 0) {
            end();
        } else {
            show(random.nextBoolean() ? "web" : "db");
        }
    }

    private void end() {
        hold = Optional.empty();
        scene.untell(ID).hear(new Fact.HoldGone(ID)).settle();
    }

    /** It is there and for these owners, if the node has room for it; says so. */
    boolean isForOwners() {
        if (hold.isPresent() || scene.cpuFree(NODE) >= 1_000 * CPU) {
            show("web");
        }
        return hold.isPresent();
    }

    /** It takes its room back from the places that draw on it, and then it is deleted: the room is free for all pods. */
    void takeRoomBackAndEnd() {
        if (hold.isPresent()) {
            edited = true;
            show("db");
            end();
        }
    }

    /** Its object lists its users, as a process that starts reads it. */
    void list() {
        hold.ifPresent(it -> scene.untell(ID)
                .exists(new Fact.HoldSeen(
                        it.toBuilder().listed(scene.usersOf(ID)).build())));
    }
}
