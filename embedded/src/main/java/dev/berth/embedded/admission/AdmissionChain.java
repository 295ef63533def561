package dev.berth.embedded.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.store.Store;
import java.util.List;

/** Asks one after the other; the first refusal stands. */
public final class AdmissionChain implements Admission {

    private final List<Admission> links;

    private AdmissionChain(List<Admission> links) {
        this.links = List.copyOf(links);
    }

    /** The rules of the cluster itself, then whoever else is to be asked. */
    public static AdmissionChain of(Store store, Admission others) {
        return new AdmissionChain(
                List.of(new NamespaceLifecycle(store), new PodPriority(store), new PodTolerations(), others));
    }

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        AdmissionRequest next = request;
        for (Admission link : links) {
            next = next.with(link.mutate(next));
        }
        return next.theObject();
    }

    @Override
    public void validate(AdmissionRequest request) {
        for (Admission link : links) {
            link.validate(request);
        }
    }
}
