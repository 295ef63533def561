package dev.berth.testkit.contract;

import dev.berth.testkit.contract.reading.ListContract;
import dev.berth.testkit.contract.reading.SelectorContract;
import dev.berth.testkit.contract.reading.WatchContract;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract as the real kube-apiserver keeps it: where this fails, the contract is wrong. */
@OnRealControlPlane
@ExtendWith(RealServer.class)
final class RealContractTest {

    @Nested
    final class Lists extends ListContract {}

    @Nested
    final class Selectors extends SelectorContract {}

    @Nested
    final class Watches extends WatchContract {}
}
