package dev.berth.app.run;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** By what name this process is known to other replicas and in events. */
final class Identity {
    private static final int LONGEST = 63;

    private Identity() {}

    /** The host, which for a pod is its name, and the process: two of one host are two. */
    static String ofThisProcess() {
        String suffix = "-" + ProcessHandle.current().pid();
        String host = host();
        return host.substring(0, Math.min(host.length(), LONGEST - suffix.length())) + suffix;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "berth";
        }
    }
}
