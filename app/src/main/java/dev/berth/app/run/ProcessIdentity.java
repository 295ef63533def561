package dev.berth.app.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** By what name this process is known to other replicas and in events. */
final class ProcessIdentity {
    private static final int MAX_LENGTH = 63;

    private ProcessIdentity() {}

    /**
     * The host, which for a pod is its name, the process and a word that nobody else has: the first process of every
     * container is number 1, and two that took each other for themselves would both lead.
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
