package dev.berth.embedded.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What kubelets write about pods: one write a pod on its way at a time. */
final class PodWrites {
    private static final Logger LOG = LoggerFactory.getLogger(PodWrites.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Environment environment;
    private final Cache pods;
    private final Outbox outbox;
    private final Controller<ObjectKey> controller;
    private final Set<String> busy = new HashSet<>();
    /** Removed as far as we are concerned, while a finalizer keeps the object. */
    private final Set<String> removed = new HashSet<>();

    PodWrites(Environment environment, Cache pods, Outbox outbox, Controller<ObjectKey> controller) {
        this.environment = environment;
        this.pods = pods;
        this.outbox = outbox;
        this.controller = controller;
        pods.listen((before, after) -> {
            if (after.isEmpty()) {
                before.map(Meta::uid).ifPresent(removed::remove);
            }
        });
    }

    boolean busy(String uid) {
        return busy.contains(uid);
    }

    void status(ObjectNode pod, ObjectNode status) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", Meta.uid(pod));
        patch.set("status", status);
        busy.add(Meta.uid(pod));
        Address address = Address.of(Resource.PODS, pod);
        outbox.send(
                Meta.uid(pod),
                () -> environment.client().patch(address, Patch.strategic(patch).toStatus()),
                written -> {
                    busy.remove(Meta.uid(pod));
                    pods.wrote(written);
                    controller.enqueue(ObjectKey.of(pod));
                },
                problem -> failed(pod, problem));
    }

    /** Deletes the pod for good, that very one. */
    void remove(ObjectNode pod) {
        if (!removed.add(Meta.uid(pod))) {
            return;
        }
        busy.add(Meta.uid(pod));
        Address address = Address.of(Resource.PODS, pod);
        outbox.send(
                Meta.uid(pod),
                () -> environment
                        .client()
                        .delete(address, DeleteOptions.only(pod).withGrace(0)),
                answer -> {
                    busy.remove(Meta.uid(pod));
                    if (Meta.finalizers(answer).isEmpty()) {
                        pods.deleted(pod);
                    }
                    controller.enqueue(ObjectKey.of(pod));
                },
                problem -> {
                    removed.remove(Meta.uid(pod));
                    failed(pod, problem);
                });
    }

    /** Gone, or followed by another of its name: the watch will tell. Anything else is tried again. */
    private void failed(ObjectNode pod, RuntimeException problem) {
        busy.remove(Meta.uid(pod));
        boolean gone = problem instanceof ApiException refusal && (refusal.notFound() || refusal.conflict());
        LOG.debug("pod ({}) is not written: {}", ObjectKey.of(pod), problem.getMessage());
        if (!gone) {
            controller.enqueueAt(
                    ObjectKey.of(pod), environment.clock().instant().plus(RETRY));
        }
    }
}
