package dev.berth.e2e.scenario.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.run.FreshLedger;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import dev.berth.e2e.scenario.testcluster.RealTestCluster;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestCluster;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.ApiServerAccess;

/** What Berth lived through, beside what one that starts now would read. */
final class FreshListAssertions {
    private FreshListAssertions() {}

    static void assertLedgerEqualsFreshList(Scenario scenario) {
        ApiServerAccess access =
                ((RealTestCluster) scenario.testCluster()).plane().access();
        ClientConfig reader = ClientConfig.withBearerToken(access.url(), access.caPem(), access.token());
        Eventually.holds(() -> {
            Snapshot lived = scenario.testCluster().berth().snapshot();
            assertThat(lived.facts().withoutConfirmed())
                    .isEqualTo(FreshLedger.read(reader, TestCluster.CONFIG).facts());
            assertThat(Invariants.check(lived)).isEmpty();
        });
    }
}
