package dev.berth.app.scenario.preemption;

import static dev.berth.app.scenario.preemption.Ranks.assertGone;
import static dev.berth.app.scenario.preemption.Ranks.come;
import static dev.berth.app.scenario.preemption.Ranks.ranked;
import static dev.berth.app.scenario.stage.NodeText.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.flight.BindingHook;
import dev.berth.app.scenario.stage.Scene;
import org.junit.jupiter.api.Test;

/** Pods that are to go while they are being bound. */
interface OnTheirWay {
    @Test
    default void whoseBindIsOnItsWayGivesWayAllTheSame(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=1"));
        BindingHook.Held held = new BindingHook.Held();
        try (BindingHook hook = BindingHook.holdingUp(scene, "victim", held)) {
            come(scene, ranked("victim", "low", "1"));
            held.awaitOnItsWay();
            come(scene, ranked("vip", "high", "1"));
            assertGone(scene, "victim");

            held.letGo();
            assertThat(scene.nodeOf("vip")).isEqualTo("n");
            assertThat(hook.asked("victim")).isEqualTo(1);
        }
    }
}
