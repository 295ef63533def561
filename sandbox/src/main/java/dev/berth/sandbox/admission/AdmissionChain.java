package dev.berth.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.storage.Store;
import java.util.List;

/** Asks one after the other; the first refusal stands. */
public final class AdmissionChain implements AdmissionPlugin {

    private final List<AdmissionPlugin> plugins;

    private AdmissionChain(List<AdmissionPlugin> links) {
        this.plugins = List.copyOf(links);
    }

    /** The rules of the cluster itself, then whoever else is to be asked. */
    public static AdmissionChain of(Store store, AdmissionPlugin webhooks) {
        return new AdmissionChain(List.of(
                new NamespaceLifecycle(store),
                new PodPriorityAdmission(store),
                new DefaultTolerationSeconds(),
                webhooks));
    }

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        AdmissionRequest next = request;
        for (AdmissionPlugin link : plugins) {
            next = next.withObject(link.mutate(next));
        }
        return next.requireObject();
    }

    @Override
    public void validate(AdmissionRequest request) {
        for (AdmissionPlugin link : plugins) {
            link.validate(request);
        }
    }
}
