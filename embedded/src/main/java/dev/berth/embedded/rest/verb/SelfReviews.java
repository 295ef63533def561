package dev.berth.embedded.rest.verb;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.wire.Format;
import dev.berth.embedded.store.ResourceId;
import java.util.ArrayList;
import java.util.List;

/** What clients ask about themselves: who they are and what they may do. Asked by a create, and never stored. */
final class SelfReviews {

    private static final ResourceId WHO = new ResourceId("authentication.k8s.io", "selfsubjectreviews");
    private static final ResourceId WHAT = new ResourceId("authorization.k8s.io", "selfsubjectaccessreviews");

    private final Backend backend;

    SelfReviews(Backend backend) {
        this.backend = backend;
    }

    static boolean concerns(Target target) {
        return target.resource().equals(WHO) || target.resource().equals(WHAT);
    }

    Answer answer(Target target, Request request) {
        List<String> warnings = new ArrayList<>();
        ObjectNode review = backend.bodies().read(request, target.kind(), warnings);
        ObjectNode status = review.putObject("status");
        if (target.resource().equals(WHO)) {
            ObjectNode user =
                    status.putObject("userInfo").put("username", request.user().name());
            ArrayNode groups = user.putArray("groups");
            request.user().groups().forEach(groups::add);
        } else {
            // Whoever has a token here is an administrator.
            status.put("allowed", true);
        }
        return backend.presenter()
                .tree(201, Format.negotiate(request, true), review)
                .warning(warnings);
    }
}
