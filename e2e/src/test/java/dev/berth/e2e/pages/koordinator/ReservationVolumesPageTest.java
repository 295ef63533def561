package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A Reservation whose pod template mounts volumes: it is placed by them, keeps them for its owners and binds none. */
final class ReservationVolumesPageTest extends UserPage {
    private static final String IN_USE = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access"
            + " mode already in-use by another pod";
    private static final String CLAIM_VOLUME = "{name: data, persistentVolumeClaim: {claimName: data}}";

    @AfterEach
    void deleteEverything() {
        run("delete reservation --all").ok();
        run("delete pod --all --grace-period=0 --force").ok();
        run("delete pvc --all --ignore-not-found").ok();
        run("delete pv --all --ignore-not-found").ok();
        run("delete storageclass waiting --ignore-not-found").ok();
        eventually(() -> assertThat(run("get pods -o name").ok().out()).isEmpty());
    }

    @Test
    void theOwnerUsesTheReadWriteOncePodClaimOfItsReservationAndAnotherPodWaits() {
        run("apply -f -", BOUND_CLAIM).ok();
        run("create -f -", reservation("volumes-demo", CLAIM_VOLUME)).ok();
        String node = awaitAvailable("volumes-demo");

        run("create -f -", pod("stranger", "stranger")).ok();
        assertThat(unschedulableMessage("stranger")).contains(IN_USE, "held by Reservation volumes-demo");

        run("create -f -", pod("owner", "volumes-demo")).ok();
        assertThat(awaitRunning("owner")).isEqualTo(node);
        eventually(() -> assertThat(jsonPath("get reservation volumes-demo", "{.status.currentOwners[*].name}"))
                .isEqualTo("owner"));
        assertThat(jsonPath("get pod stranger", "{.spec.nodeName}")).isEmpty();

        run("delete pod owner --grace-period=0 --force").ok();
        run("delete reservation volumes-demo").ok();
        assertThat(awaitRunning("stranger")).isNotEmpty();
    }

    @Test
    void aReservationWaitsForItsClaimAndDoesNotBindIt() {
        run("create -f -", reservation("volumes-demo", CLAIM_VOLUME)).ok();
        eventually(() -> assertThat(jsonPath("get reservation volumes-demo", "{.status.conditions[*].message}"))
                .contains("persistentvolumeclaim \"data\" not found"));

        run("apply -f -", WAITING_CLAIM).ok();
        awaitAvailable("volumes-demo");

        assertThat(jsonPath("get pvc data", "{.spec.volumeName}{.metadata.annotations}"))
                .doesNotContain("selected-node");
        assertThat(jsonPath("get pvc data", "{.status.phase}")).isEqualTo("Pending");
    }

    @Test
    void aReservationWithAnEphemeralVolumeIsPlaced() {
        run("create -f -", reservation("volumes-demo", """
                {name: scratch, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], \
                storageClassName: unknown, resources: {requests: {storage: 1Gi}}}}}}""")).ok();

        awaitAvailable("volumes-demo");

        assertThat(run("get pvc -o name").ok().out()).isEmpty();
    }

    /** Returns the name of its node. */
    private String awaitAvailable(String name) {
        eventually(() -> assertThat(jsonPath("get reservation " + name, "{.status.phase}"))
                .isEqualTo("Available"));
        return jsonPath("get reservation " + name, "{.status.nodeName}");
    }

    private static String reservation(String name, String volume) {
        return """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata: {name: %s}
                spec:
                  template:
                    metadata: {namespace: default}
                    spec:
                      schedulerName: koord-scheduler
                      containers:
                      - name: main
                        image: nginx
                        resources: {requests: {cpu: 500m}}
                      volumes:
                      - %s
                  owners:
                  - labelSelector: {matchLabels: {app: %1$s}}
                  ttl: 1h
                """.formatted(name, volume);
    }

    private static String pod(String name, String app) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {app: %s}}
                spec:
                  schedulerName: koord-scheduler
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: main
                    image: nginx
                    resources: {requests: {cpu: 500m}}
                    volumeMounts: [{name: data, mountPath: /data}]
                  volumes:
                  - %s
                """.formatted(name, app, CLAIM_VOLUME);
    }

    /**
     * The claim is bound without a controller. kube-controller-manager sets the claimRef with the UID: a claimRef without
     * UID would make the claim Lost.
     */
    private static final String BOUND_CLAIM = """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: volumes-demo}
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOncePod]
              persistentVolumeReclaimPolicy: Retain
              storageClassName: ""
              hostPath: {path: /tmp/volumes-demo}
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data, annotations: {pv.kubernetes.io/bind-completed: "yes"}}
            spec:
              accessModes: [ReadWriteOncePod]
              storageClassName: ""
              volumeName: volumes-demo
              resources: {requests: {storage: 1Gi}}
            """;

    private static final String WAITING_CLAIM = """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: waiting}
            provisioner: disks.example.com
            volumeBindingMode: WaitForFirstConsumer
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec:
              accessModes: [ReadWriteOnce]
              storageClassName: waiting
              resources: {requests: {storage: 1Gi}}
            """;
}
