package dev.berth.core.ledger;

/** How far one reader has followed the ledger's change log. */
public final class LedgerCursor {
    private static final long NOTHING_READ = -1;

    private long version = NOTHING_READ;

    /** Whether the reader has read all changes. */
    public boolean isUpToDate(LedgerView ledger) {
        return version == ledger.version();
    }

    /**
     * Reports the changes that the reader has not read.
     *
     * @return false at the first call, and when the log does not reach back far enough: then nothing was reported, and the
     *     reader must read everything
     */
    public boolean follow(LedgerView ledger, LedgerView.ChangeListener listener) {
        boolean complete = version != NOTHING_READ && ledger.changesSince(version, listener);
        version = ledger.version();
        return complete;
    }
}
