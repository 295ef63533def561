package dev.berth.app.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** The name of this process for other replicas and in events. */
final class ProcessIdentity {
    private static final int MAX_LENGTH = 63;

    private ProcessIdentity() {}

    /**
     * The host name, which for a pod is its name, the process id and a random word. The first process of every
     * container has id 1, and two processes with the same identity would both lead.
     */
    static String generate() {
        String word = UUID.randomUUID().toString().substring(0, 8);
        String suffix = "-%d-%s".formatted(ProcessHandle.current().pid(), word);
        String host = hostName();
        return host.substring(0, Math.min(host.length(), MAX_LENGTH - suffix.length())) + suffix;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "berth";
        }
    }
}
