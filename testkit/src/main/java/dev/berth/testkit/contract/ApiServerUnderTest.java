package dev.berth.testkit.contract;

import dev.berth.testkit.controlplane.ApiServerAccess;

/** An API server that the contract tests run against. */
public interface ApiServerUnderTest {

    /** The access of an administrator. */
    ApiServerAccess access();

    /**
     * Makes the server forget its history up to now, as compaction does: watches and pages that begin there are expired
     * afterwards.
     *
     * @param version the newest version to be forgotten
     */
    void compact(String version);
}
