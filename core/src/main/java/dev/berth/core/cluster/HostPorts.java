package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;

/** Compares sorted lists of ports. A pod can name tens of thousands, so two lists are compared in one pass over both. */
public final class HostPorts {
    private HostPorts() {}

    /** Whether a port of the first list conflicts with a port of the second; both lists are sorted. */
    public static boolean conflict(List<HostPort> wanted, List<HostPort> used) {
        return firstConflict(wanted, used).isPresent();
    }

    /** The first port of the first list that conflicts with a port of the second; both lists are sorted. */
    public static Optional<HostPort> firstConflict(List<HostPort> wanted, List<HostPort> used) {
        int left = 0;
        int right = 0;
        while (left < wanted.size() && right < used.size()) {
            int order = order(wanted.get(left), used.get(right));
            if (order < 0) {
                left++;
            } else if (order > 0) {
                right++;
            } else {
                int leftEnd = end(wanted, left);
                int rightEnd = end(used, right);
                Optional<HostPort> conflict =
                        firstAddressConflict(wanted.subList(left, leftEnd), used.subList(right, rightEnd));
                if (conflict.isPresent()) {
                    return conflict;
                }
                left = leftEnd;
                right = rightEnd;
            }
        }
        return Optional.empty();
    }

    private static int order(HostPort left, HostPort right) {
        int byPort = Integer.compare(left.port(), right.port());
        return byPort != 0 ? byPort : left.protocol().compareTo(right.protocol());
    }

    private static int end(List<HostPort> ports, int start) {
        int end = start + 1;
        while (end < ports.size() && order(ports.get(end), ports.get(start)) == 0) {
            end++;
        }
        return end;
    }

    /** The ports of both lists have the same number and protocol: only the addresses differ. */
    private static Optional<HostPort> firstAddressConflict(List<HostPort> wanted, List<HostPort> used) {
        if (findOnAnyAddress(used).isPresent()) {
            return Optional.of(wanted.get(0));
        }
        Optional<HostPort> onAnyAddress = findOnAnyAddress(wanted);
        return firstWithUsedAddress(wanted, used)
                .filter(port -> onAnyAddress.isEmpty() || port.compareTo(onAnyAddress.get()) < 0)
                .or(() -> onAnyAddress);
    }

    private static Optional<HostPort> firstWithUsedAddress(List<HostPort> wanted, List<HostPort> used) {
        int left = 0;
        int right = 0;
        while (left < wanted.size() && right < used.size()) {
            int order = wanted.get(left).address().compareTo(used.get(right).address());
            if (order == 0) {
                return Optional.of(wanted.get(left));
            }
            left += order < 0 ? 1 : 0;
            right += order > 0 ? 1 : 0;
        }
        return Optional.empty();
    }

    private static Optional<HostPort> findOnAnyAddress(List<HostPort> ports) {
        for (HostPort port : ports) {
            if (port.isOnAnyAddress()) {
                return Optional.of(port);
            }
        }
        return Optional.empty();
    }
}
