package dev.berth.bench.cluster;

/** The objects of the benchmark. Nodes and pods are as large as in Kubernetes' own scheduler benchmarks. */
final class ApiObjectJson {
    static final String NAMESPACE = "bench";
    static final String PODS = "/api/v1/namespaces/bench/pods";
    static final String REPLICA_SETS = "/apis/apps/v1/namespaces/bench/replicasets";
    static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/bench/deployments";
    static final String RESERVATIONS = "/apis/scheduling.koordinator.sh/v1alpha1/reservations";
    private static final int ZONES = 3;

    private static final String CONTAINERS = """
            [{"name":"app","image":"registry.k8s.io/pause:3.10",
             "resources":{"requests":{"cpu":"100m","memory":"500Mi"}}}]""";

    private ApiObjectJson() {}

    static String namespace() {
        return """
                {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"bench"}}""";
    }

    static String nodeName(int number) {
        return "node-%05d".formatted(number);
    }

    static String node(int number) {
        String name = nodeName(number);
        String capacity = """
                {"cpu":"4","memory":"32Gi","pods":"110"}""";
        return """
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{"kubernetes.io/hostname":"%s",
                 "topology.kubernetes.io/region":"region-1","topology.kubernetes.io/zone":"zone-%d"}},
                 "status":{"capacity":%s,"allocatable":%s,"conditions":[{"type":"Ready","status":"True"}]}}
                """.formatted(name, name, number % ZONES, capacity, capacity);
    }

    static String pod(String name, String app, String schedulerName) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"%s"}},
                 "spec":{"schedulerName":"%s","containers":%s}}
                """.formatted(name, app, schedulerName, CONTAINERS);
    }

    /** As the ReplicaSet controller creates it. */
    static String ownedPod(String name, String schedulerName, int owner, String ownerUid) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s",
                 "labels":{"app":"app-%d","pod-template-hash":"5d4f8"},
                 "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"app-%d-5d4f8","uid":"%s",
                 "controller":true,"blockOwnerDeletion":true}]},
                 "spec":{"schedulerName":"%s","containers":%s}}
                """.formatted(name, owner, owner, ownerUid, schedulerName, CONTAINERS);
    }

    static String deployment(int number, int replicas) {
        return """
                {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"app-%d"},"spec":{"replicas":%d,
                 "selector":{"matchLabels":{"app":"app-%d"}},
                 "template":{"metadata":{"labels":{"app":"app-%d"}},"spec":{"containers":%s}}}}
                """.formatted(number, replicas, number, number, CONTAINERS);
    }

    static String replicaSet(int number, int replicas, String deploymentUid) {
        String labels = """
                {"app":"app-%d","pod-template-hash":"5d4f8"}""".formatted(number);
        return """
                {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"app-%d-5d4f8","labels":%s,
                 "ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"app-%d","uid":"%s",
                 "controller":true,"blockOwnerDeletion":true}]},
                 "spec":{"replicas":%d,"selector":{"matchLabels":%s},
                 "template":{"metadata":{"labels":%s},"spec":{"containers":%s}}}}
                """.formatted(number, labels, number, deploymentUid, replicas, labels, labels, CONTAINERS);
    }

    static String reservationName(int number) {
        return "hold-%d".formatted(number);
    }

    /** For pods that are never created. */
    static String reservation(int number) {
        return reservation(number, "other-%d".formatted(number));
    }

    /** For every second pod. */
    static String reservationForPods(int number) {
        return reservation(number, appOf(1));
    }

    private static String reservation(int number, String app) {
        return """
                {"apiVersion":"scheduling.koordinator.sh/v1alpha1","kind":"Reservation","metadata":{"name":"%s"},
                 "spec":{"allocateOnce":false,"ttl":"0s","template":{"spec":{"schedulerName":"berth-scheduler",
                 "containers":%s}},"owners":[{"labelSelector":{"matchLabels":{"app":"%s"}}}]}}
                """.formatted(reservationName(number), CONTAINERS, app);
    }

    /** About the status that Berth writes when it has placed a Reservation. */
    static String availableStatus(int number) {
        String condition = """
                {"type":"%s","status":"True","reason":"%s","message":"written by Berth",
                 "lastProbeTime":"2026-11-18T00:00:00Z","lastTransitionTime":"2026-11-18T00:00:00Z"}""";
        return """
                {"status":{"phase":"Available","nodeName":"%s","allocatable":{"cpu":"100m","memory":"500Mi"},
                 "conditions":[%s,%s]}}
                """.formatted(
                        nodeName(number % 1000),
                        condition.formatted("Scheduled", "Scheduled"),
                        condition.formatted("Ready", "Available"));
    }

    /** Pods without a Deployment belong to one of two apps in turn. */
    static String appOf(int number) {
        return "bench-" + number % 2;
    }
}
