package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;

/** Ports in their order. A pod may name tens of thousands, so two lists are compared in one walk over both. */
public final class HostPorts {
    private HostPorts() {}

    /** Whether some port of the one list conflicts with one of the other; both are sorted. */
    public static boolean conflict(List<HostPort> some, List<HostPort> others) {
        return firstConflict(some, others).isPresent();
    }

    /** The first port of the one list that conflicts with a port of the other; both are sorted. */
    public static Optional<HostPort> firstConflict(List<HostPort> some, List<HostPort> others) {
        int one = 0;
        int other = 0;
        while (one < some.size() && other < others.size()) {
            int order = order(some.get(one), others.get(other));
            if (order < 0) {
                one++;
            } else if (order > 0) {
                other++;
            } else {
                int oneEnd = end(some, one);
                int otherEnd = end(others, other);
                Optional<HostPort> met = meet(some.subList(one, oneEnd), others.subList(other, otherEnd));
                if (met.isPresent()) {
                    return met;
                }
                one = oneEnd;
                other = otherEnd;
            }
        }
        return Optional.empty();
    }

    private static int order(HostPort one, HostPort other) {
        int byPort = Integer.compare(one.port(), other.port());
        return byPort != 0 ? byPort : one.protocol().compareTo(other.protocol());
    }

    private static int end(List<HostPort> ports, int start) {
        int end = start + 1;
        while (end < ports.size() && order(ports.get(end), ports.get(start)) == 0) {
            end++;
        }
        return end;
    }

    /** Of one port and protocol each: only the addresses differ. */
    private static Optional<HostPort> meet(List<HostPort> some, List<HostPort> others) {
        if (everywhere(others).isPresent()) {
            return Optional.of(some.get(0));
        }
        Optional<HostPort> everywhere = everywhere(some);
        return same(some, others)
                .filter(port -> everywhere.isEmpty() || port.compareTo(everywhere.get()) < 0)
                .or(() -> everywhere);
    }

    private static Optional<HostPort> same(List<HostPort> some, List<HostPort> others) {
        int one = 0;
        int other = 0;
        while (one < some.size() && other < others.size()) {
            int order = some.get(one).address().compareTo(others.get(other).address());
            if (order == 0) {
                return Optional.of(some.get(one));
            }
            one += order < 0 ? 1 : 0;
            other += order > 0 ? 1 : 0;
        }
        return Optional.empty();
    }

    private static Optional<HostPort> everywhere(List<HostPort> ports) {
        for (HostPort port : ports) {
            if (port.address().equals(HostPort.ANY_ADDRESS)) {
                return Optional.of(port);
            }
        }
        return Optional.empty();
    }
}
