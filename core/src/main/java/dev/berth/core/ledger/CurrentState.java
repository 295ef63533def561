package dev.berth.core.ledger;

/** The ledger's current {@link LedgerState}, shared by the parts of the ledger that change it. */
final class CurrentState {
    private LedgerState state = LedgerState.EMPTY;

    LedgerState get() {
        return state;
    }

    void set(LedgerState changed) {
        state = changed;
    }
}
