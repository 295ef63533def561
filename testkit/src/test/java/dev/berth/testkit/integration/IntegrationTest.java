package dev.berth.testkit.integration;

import dev.berth.testkit.contract.ServerExtension;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** Berth's client on the sandbox and on the real kube-apiserver. */
@OnStages({Stage.SANDBOX, Stage.REAL})
@ExtendWith(ServerExtension.class)
final class IntegrationTest {

    @Nested
    final class Informers extends InformersContract {}

    @Nested
    final class Effects extends EffectContract {}

    @Nested
    final class Elections extends ElectionContract {}
}
