package dev.berth.app.scenario.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.run.FreshLedger;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.app.scenario.stage.Stage;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Access;

/** What Berth lived through, beside what one that starts now would read. */
final class Fresh {
    private Fresh() {}

    static void assertLedgerIsThatOfAFreshList(Scene scene) {
        Access access = ((RealStage) scene.stage()).plane().access();
        ClusterAccess reader = ClusterAccess.byToken(access.url(), access.caPem(), access.token());
        Eventually.holds(() -> {
            Snapshot lived = scene.stage().berth().snapshot();
            assertThat(lived.facts().shown())
                    .isEqualTo(FreshLedger.read(reader, Stage.CONFIG).facts());
            assertThat(Invariants.check(lived)).isEmpty();
        });
    }
}
