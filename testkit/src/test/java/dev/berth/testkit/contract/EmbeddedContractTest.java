package dev.berth.testkit.contract;

import org.junit.jupiter.api.extension.ExtendWith;

/** The contract as the embedded server keeps it: where this fails and the real one does not, the server is wrong. */
@ExtendWith(EmbeddedServer.class)
final class EmbeddedContractTest extends WholeContract {}
