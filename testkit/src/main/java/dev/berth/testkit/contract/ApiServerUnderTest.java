package dev.berth.testkit.contract;

import dev.berth.testkit.controlplane.ApiServerAccess;

/** A server that claims to be a Kubernetes API server. */
public interface ApiServerUnderTest {

    /** An administrator's way in. */
    ApiServerAccess access();

    /**
     * Makes the server unable to replay or page through anything from before now, as time and
     * compaction do: watches and pages that begin there are too old afterwards.
     *
     * @param version the newest version to be forgotten
     */
    void compact(String version);
}
