package dev.berth.core.reference;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.resource.ResourceName;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;

/** Arithmetic on plain maps, in the open. */
final class ReferenceArithmetic {
    private ReferenceArithmetic() {}

    /** Adds the second to the first; what is too large stays at the largest number. */
    static void add(Map<ResourceName, Long> sum, Map<ResourceName, Long> more) {
        more.forEach((name, amount) -> sum.put(
                name, clamp(BigInteger.valueOf(sum.getOrDefault(name, 0L)).add(BigInteger.valueOf(amount)))));
    }

    static Map<ResourceName, Long> minus(Map<ResourceName, Long> left, Map<ResourceName, Long> right) {
        Map<ResourceName, Long> difference = new TreeMap<>(left);
        right.forEach((name, amount) -> difference.put(
                name, clamp(BigInteger.valueOf(left.getOrDefault(name, 0L)).subtract(BigInteger.valueOf(amount)))));
        return difference;
    }

    /** What the pod takes: its requests and a slot. */
    static Map<ResourceName, Long> requests(Pod pod) {
        Map<ResourceName, Long> requests = new TreeMap<>(pod.spec().requests().toMap());
        requests.put(ResourceName.PODS, 1L);
        return requests;
    }

    static boolean selects(Workload workload, Pod pod) {
        if (workload.kind() == Workload.Kind.SERVICE) {
            return !workload.selector().isEmpty() && workload.selector().matches(pod.labels());
        }
        String wanted = switch (workload.kind()) {
            case SERVICE -> "";
            case REPLICATION_CONTROLLER -> "v1/ReplicationController/";
            case REPLICA_SET -> "apps/v1/ReplicaSet/";
            case STATEFUL_SET -> "apps/v1/StatefulSet/";
        };
        return pod.controller()
                .map(ref -> ref.apiVersion() + "/" + ref.kind() + "/" + ref.name())
                .equals(java.util.Optional.of(wanted + workload.name()));
    }

    private static long clamp(BigInteger value) {
        if (value.bitLength() < Long.SIZE) {
            return value.longValueExact();
        }
        return value.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
}
