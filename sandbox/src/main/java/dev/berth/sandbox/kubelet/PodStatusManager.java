package dev.berth.sandbox.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the status of pods, with one write per pod in flight. */
final class PodStatusManager {
    private static final Logger LOG = LoggerFactory.getLogger(PodStatusManager.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final LoopEnvironment environment;
    private final InformerCache pods;
    private final AsyncWriter asyncWriter;
    private final Controller<NamespacedName> controller;
    private final Set<String> writesInFlight = new HashSet<>();
    /** Pods that the kubelet has finished, but a finalizer keeps. */
    private final Set<String> removedUids = new HashSet<>();

    PodStatusManager(
            LoopEnvironment environment,
            InformerCache pods,
            AsyncWriter asyncWriter,
            Controller<NamespacedName> controller) {
        this.environment = environment;
        this.pods = pods;
        this.asyncWriter = asyncWriter;
        this.controller = controller;
        pods.addListener((before, after) -> {
            if (after.isEmpty()) {
                before.map(ObjectMetaReader::uid).ifPresent(removedUids::remove);
            }
        });
    }

    boolean isWriting(String uid) {
        return writesInFlight.contains(uid);
    }

    void writeStatus(ObjectNode pod, ObjectNode status) {
        ObjectNode patch = NestedFields.newObject();
        patch.putObject("metadata").put("uid", ObjectMetaReader.uid(pod));
        patch.set("status", status);
        writesInFlight.add(ObjectMetaReader.uid(pod));
        ObjectLocation objectLocation = ObjectLocation.of(RestMapping.PODS, pod);
        asyncWriter.send(
                ObjectMetaReader.uid(pod),
                () -> environment
                        .client()
                        .patch(objectLocation, Patch.strategic(patch).forStatus()),
                written -> {
                    writesInFlight.remove(ObjectMetaReader.uid(pod));
                    pods.applyWrite(written);
                    controller.enqueue(NamespacedName.of(pod));
                },
                problem -> onFailure(pod, problem));
    }

    /** Deletes the pod with this UID, without a grace period. */
    void remove(ObjectNode pod) {
        if (!removedUids.add(ObjectMetaReader.uid(pod))) {
            return;
        }
        writesInFlight.add(ObjectMetaReader.uid(pod));
        ObjectLocation objectLocation = ObjectLocation.of(RestMapping.PODS, pod);
        asyncWriter.send(
                ObjectMetaReader.uid(pod),
                () -> environment
                        .client()
                        .delete(objectLocation, DeleteOptions.withUidOf(pod).withGracePeriod(0)),
                answer -> {
                    writesInFlight.remove(ObjectMetaReader.uid(pod));
                    if (ObjectMetaReader.finalizers(answer).isEmpty()) {
                        pods.applyDelete(pod);
                    }
                    controller.enqueue(NamespacedName.of(pod));
                },
                problem -> {
                    removedUids.remove(ObjectMetaReader.uid(pod));
                    onFailure(pod, problem);
                });
    }

    /** The pod is deleted or replaced: the watch will report it. Other errors are retried. */
    private void onFailure(ObjectNode pod, RuntimeException problem) {
        writesInFlight.remove(ObjectMetaReader.uid(pod));
        boolean gone = problem instanceof ApiException refusal && (refusal.isNotFound() || refusal.isConflict());
        LOG.debug("pod ({}) is not written: {}", NamespacedName.of(pod), problem.getMessage());
        if (!gone) {
            controller.enqueueAt(
                    NamespacedName.of(pod), environment.clock().instant().plus(RETRY));
        }
    }
}
