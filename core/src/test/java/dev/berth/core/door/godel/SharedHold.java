package dev.berth.core.door.godel;

import static dev.berth.core.testing.HoldBuilder.aHold;

import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A hold that several pods use. Its owners are edited at random, and it is deleted and created again. Return holds that
 * draw on it lose their capacity, or keep it beside the hold.
 */
final class SharedHold {
    static final String NODE = "n1";
    private static final HoldId ID = new HoldId("koordinator/shared");
    private static final int CPU = 4;
    private static final Taint TAINT = new Taint("team", "a", Taint.TaintEffect.NO_SCHEDULE);

    private final GodelScene scene;
    private final boolean tainted;
    private Optional<Hold> hold = Optional.empty();
    private boolean edited;

    /** @param tainted whether its users must tolerate a taint */
    SharedHold(GodelScene scene, boolean tainted) {
        this.scene = scene;
        this.tainted = tainted;
    }

    /** Whether its owners were edited or it was deleted: return holds that draw on it may end. */
    boolean wasEdited() {
        return edited;
    }

    void create() {
        upsert("web");
    }

    private void upsert(String app) {
        Hold next =
                aHold(ID.value())
                        .on(NODE)
                        .keeping(CPU + " cpu", "10 pods")
                        .forPodsLabelled("app", app)
                        .build()
                        .toBuilder()
                        .taints(tainted ? List.of(TAINT) : List.of())
                        .listedUsers(scene.usersOf(ID))
                        .build();
        hold = Optional.of(next);
        scene.removeHoldObject(ID).addObject(new Fact.HoldUpserted(next)).runTurns();
    }

    /** The pod may use the hold, or might after an edit of its owners. */
    void makeOwner(PodBuilder pod, Random random) {
        makeOwner(pod, random.nextInt(3) == 0 ? "db" : "web");
    }

    /** The pod may use the hold. */
    void makeOwner(PodBuilder pod) {
        makeOwner(pod, "web");
    }

    private void makeOwner(PodBuilder pod, String app) {
        pod.labelled("app", app);
        if (tainted) {
            Toleration toleration =
                    new Toleration(TAINT.key(), Toleration.Operator.EQUAL, TAINT.value(), Optional.empty());
            pod.withSpec(spec -> spec.tolerations(List.of(toleration)));
        }
    }

    void change(Random random) {
        if (hold.isEmpty()) {
            if (scene.cpuFree(NODE) >= 1_000 * CPU) {
                upsert("web");
            }
            return;
        }
        edited = true;
        if (random.nextInt(3) == 0) {
            delete();
        } else {
            upsert(random.nextBoolean() ? "web" : "db");
        }
    }

    private void delete() {
        hold = Optional.empty();
        scene.removeHoldObject(ID).apply(new Fact.HoldDeleted(ID)).runTurns();
    }

    /** Creates the hold for these owners if the node has the capacity. Returns whether it has. */
    boolean restoreForOwners() {
        if (hold.isPresent() || scene.cpuFree(NODE) >= 1_000 * CPU) {
            upsert("web");
        }
        return hold.isPresent();
    }

    /** The hold reclaims its capacity from return holds that draw on it, and then is deleted: the capacity is free. */
    void excludeOwnersAndDelete() {
        if (hold.isPresent()) {
            edited = true;
            upsert("db");
            delete();
        }
    }

    /** The object of the hold lists its users, for a restarted Berth. */
    void listUsers() {
        hold.ifPresent(it -> scene.removeHoldObject(ID)
                .addObjectUnseen(new Fact.HoldUpserted(
                        it.toBuilder().listedUsers(scene.usersOf(ID)).build())));
    }
}
