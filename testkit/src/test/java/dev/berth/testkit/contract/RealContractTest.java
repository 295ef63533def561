package dev.berth.testkit.contract;

import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract as the real kube-apiserver keeps it: where this fails, the contract is wrong. */
@OnRealControlPlane
@ExtendWith(RealServer.class)
final class RealContractTest extends WholeContract {}
