package dev.berth.app.operation;

/** What this process is among its replicas, as far as it knows. Told by the election's thread, read by any. */
public final class Role {
    private volatile Standing standing = new Standing(false, false, "it is not known yet who leads");

    /** @param known whether somebody is known to lead */
    private record Standing(boolean leading, boolean known, String words) {}

    public void leads() {
        standing = new Standing(true, true, "it leads");
    }

    public void waitsBehind(String leader) {
        standing = new Standing(false, true, "standby: %s leads".formatted(leader));
    }

    /** It does not take part in elections yet. */
    public void joins(String why) {
        standing = new Standing(false, false, "it waits to join: " + why);
    }

    public void lost(String why) {
        standing = new Standing(false, false, "the lead is lost: " + why);
    }

    public boolean leading() {
        return standing.leading;
    }

    /** Whether somebody is known to lead, this process or another. */
    public boolean known() {
        return standing.known;
    }

    @Override
    public String toString() {
        return standing.words;
    }
}
