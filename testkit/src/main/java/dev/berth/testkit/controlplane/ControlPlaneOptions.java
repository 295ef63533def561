package dev.berth.testkit.controlplane;

import java.util.ArrayList;
import java.util.List;

/**
 * The options of a control plane.
 *
 * @param controllers whether kube-controller-manager runs; without it nothing is garbage-collected, scaled or rolled
 * out, and deleted namespaces stay
 * @param apiServerFlags further flags of kube-apiserver, which take precedence
 */
public record ControlPlaneOptions(boolean controllers, List<String> apiServerFlags) {

    public ControlPlaneOptions {
        apiServerFlags = List.copyOf(apiServerFlags);
        for (String flag : apiServerFlags) {
            if (!flag.startsWith("--")) {
                throw new IllegalArgumentException(
                        "apiServerFlags has (%s), which does not begin with --".formatted(flag));
            }
        }
    }

    /** etcd and kube-apiserver only. */
    public static ControlPlaneOptions bare() {
        return new ControlPlaneOptions(false, List.of());
    }

    public ControlPlaneOptions withControllers() {
        return new ControlPlaneOptions(true, apiServerFlags);
    }

    public ControlPlaneOptions withApiServerFlag(String flag) {
        List<String> more = new ArrayList<>(apiServerFlags);
        more.add(flag);
        return new ControlPlaneOptions(controllers, more);
    }
}
