package dev.berth.kubernetes.leaderelection;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Lease that the scheduler of a scheduler name renews while it runs. */
public record SchedulerLease(String namespace, String name) {
    private static final Pattern KEY =
            Pattern.compile("([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)/([a-z0-9](?:[-.a-z0-9]*[a-z0-9])?)");

    /**
     * Parses a namespace and a name.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static SchedulerLease parse(String text) {
        Matcher matcher = KEY.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "(%s) must be the namespace and the name of a Lease, such as kube-system/kube-scheduler"
                            .formatted(text));
        }
        return new SchedulerLease(matcher.group(1), matcher.group(2));
    }

    String path() {
        return "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s".formatted(namespace, name);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
