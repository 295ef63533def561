package dev.berth.core.reconcile;

import static dev.berth.core.reconcile.TestObjects.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.hold.HoldId;
import dev.berth.core.reconcile.TestObjects.ObservedObject;
import dev.berth.core.reconcile.TestObjects.StatusWrite;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObjectControllerTest {
    private final RecordingDoorHandle handle = new RecordingDoorHandle();
    private final TestObjects door = new TestObjects();
    private final ObjectController<String, ObservedObject, StatusWrite> controller = door.controller;

    private void upsert(ObservedObject object) {
        controller.upsert(object.uid(), object, handle);
    }

    private List<String> holds() {
        return handle.holds.keySet().stream().map(HoldId::value).toList();
    }

    private List<String> eventReasons() {
        return handle.drain().stream()
                .filter(RecordEvent.class::isInstance)
                .map(effect -> ((RecordEvent) effect).kind().reason())
                .toList();
    }

    private static ObservedObject invalid(String uid, String... problems) {
        return new ObservedObject(uid, "v1", 0, 0, List.of(problems), Optional.empty());
    }

    @Test
    void holdsArePutWhenTheObjectIsObservedAndTheWriteFollowsInReconcile() {
        upsert(object("a", 2));
        assertThat(holds()).containsExactly("a/0", "a/1");
        assertThat(handle.drain()).isEmpty();

        controller.reconcile(handle);
        assertThat(handle.drain()).containsExactly(new StatusWrite("a", "v1", 2));
    }

    @Test
    void holdsThatAreNoLongerDesiredAreReleased() {
        upsert(object("a", 2));
        upsert(object("a", 1));
        assertThat(holds()).containsExactly("a/0");
        assertThat(controller.findByHold(new HoldId("a/0")))
                .map(ObservedObject::spec)
                .contains(1);
        assertThat(controller.findByHold(new HoldId("a/1"))).isEmpty();
    }

    @Test
    void aHoldThatTheLedgerEndedIsPutAgainWhileItIsDesired() {
        upsert(object("a", 1));
        handle.holds.clear();
        controller.syncHolds("a", handle);
        assertThat(holds()).containsExactly("a/0");
    }

    @Test
    void aDeletedObjectLeavesNothingBehind() {
        upsert(new ObservedObject(
                "a", "v1", 1, 0, List.of("bad"), Optional.of(handle.now().plusSeconds(5))));
        controller.reconcile(handle);
        controller.remove("a", handle);

        assertThat(holds()).isEmpty();
        assertThat(controller.isEmpty()).isTrue();
        assertThat(controller.invalidObjects()).isZero();
        assertThat(controller.nextWake()).isEmpty();
        assertThat(controller.onWriteResult(new StatusWrite("a", "v1", 1), WriteResult.WRITTEN, handle))
                .isFalse();
        handle.drain();
        controller.markDirty("a");
        controller.reconcile(handle);
        assertThat(handle.drain()).isEmpty();
    }

    @Test
    void anObjectIsReconciledWhenItsTimeHasCome() {
        upsert(new ObservedObject(
                "a", "", 1, 1, List.of(), Optional.of(handle.now().plusSeconds(5))));
        controller.reconcile(handle);
        assertThat(handle.drain()).isEmpty();
        assertThat(controller.nextWake()).contains(handle.now().plusSeconds(5));

        handle.clock.advance(Duration.ofSeconds(5));
        controller.reconcile(handle);
        assertThat(handle.drain()).containsExactly(new StatusWrite("a", "", TestObjects.EXPIRED));
        assertThat(holds()).isEmpty();
        assertThat(controller.nextWake()).isEmpty();
    }

    @Test
    void aTurnWithoutTimeLeavesTheOtherObjectsForTheNextTurn() {
        handle.outOfTime = true;
        upsert(object("b", 1));
        upsert(object("a", 1));
        assertThat(controller.reconcile(handle)).isFalse();
        assertThat(handle.drain()).containsExactly(new StatusWrite("a", "v1", 1));
        assertThat(controller.reconcile(handle)).isFalse();
        assertThat(handle.drain()).containsExactly(new StatusWrite("b", "v1", 1));
        assertThat(controller.reconcile(handle)).isTrue();
    }

    @Test
    void aProblemIsReportedOnceWhileItExistsAndAgainAfterItWasSolved() {
        upsert(invalid("a", "x", "y"));
        controller.reconcile(handle);
        assertThat(eventReasons()).containsExactly("Invalid", "Invalid");
        assertThat(controller.invalidObjects()).isEqualTo(1);

        upsert(invalid("a", "y"));
        controller.reconcile(handle);
        assertThat(eventReasons()).isEmpty();

        upsert(invalid("a"));
        controller.reconcile(handle);
        assertThat(controller.invalidObjects()).isZero();
        upsert(invalid("a", "x"));
        controller.reconcile(handle);
        assertThat(eventReasons()).containsExactly("Invalid");
    }

    @Test
    void aDenialIsReportedOnTheObjectWithItsConsequence() {
        upsert(object("a", 1));
        controller.reconcile(handle);
        StatusWrite write = (StatusWrite) handle.drain().get(0);
        controller.onWriteResult(write, new WriteResult(WriteResult.ResultKind.DENIED, "no"), handle);

        Effect event = handle.drain().get(0);
        assertThat(((RecordEvent) event).target()).isEqualTo(TestObjects.targetOf("a"));
        assertThat(((RecordEvent) event).note()).contains("The status stays 0.");
        assertThat(controller.denial("a")).contains("no");
        assertThat(controller.isDenied("a")).isTrue();
        assertThat(controller.retryingWrites()).isEqualTo(1);
    }

    @Test
    void aWriteThatIsGivenUpIsNotAwaited() {
        upsert(object("a", 1));
        controller.reconcile(handle);
        StatusWrite write = (StatusWrite) handle.drain().get(0);
        controller.clearWrite("a");
        assertThat(controller.onWriteResult(write, WriteResult.WRITTEN, handle)).isFalse();
    }

    @Test
    void messagesOfOneTopicSayNothingAboutAnotherTopic() {
        ReportedMessages<String> reported = new ReportedMessages<>();
        assertThat(reported.replace("a", "size", "too large")).isTrue();
        assertThat(reported.replace("a", "time", "too large")).isTrue();
        assertThat(reported.clear("a", "size")).isTrue();
        assertThat(reported.clear("a", "size")).isFalse();
        assertThat(reported.replace("a", "time", "too large")).isFalse();
        reported.remove("a");
        assertThat(reported.clear("a", "time")).isFalse();
    }
}
