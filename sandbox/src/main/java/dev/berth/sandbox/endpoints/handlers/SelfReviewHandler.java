package dev.berth.sandbox.endpoints.handlers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.serializer.ResponseFormat;
import dev.berth.sandbox.storage.GroupResource;
import java.util.ArrayList;
import java.util.List;

/** SelfSubjectReview and SelfSubjectAccessReview: the user of the request and its permissions. They are not stored. */
final class SelfReviewHandler {

    private static final GroupResource SELF_SUBJECT_REVIEWS =
            new GroupResource("authentication.k8s.io", "selfsubjectreviews");
    private static final GroupResource SELF_SUBJECT_ACCESS_REVIEWS =
            new GroupResource("authorization.k8s.io", "selfsubjectaccessreviews");

    private final HandlerContext handlerContext;

    SelfReviewHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
    }

    static boolean isSelfReview(RequestInfo requestInfo) {
        return requestInfo.groupResource().equals(SELF_SUBJECT_REVIEWS)
                || requestInfo.groupResource().equals(SELF_SUBJECT_ACCESS_REVIEWS);
    }

    BodyResponse review(RequestInfo requestInfo, RestRequest request) {
        List<String> warnings = new ArrayList<>();
        ObjectNode review = handlerContext.bodyDecoder().decode(request, requestInfo.kind(), warnings);
        ObjectNode status = review.putObject("status");
        if (requestInfo.groupResource().equals(SELF_SUBJECT_REVIEWS)) {
            ObjectNode user = status.putObject("userInfo")
                    .put("username", request.userInfo().name());
            ArrayNode groups = user.putArray("groups");
            request.userInfo().groups().forEach(groups::add);
        } else {
            // Every authenticated user is an administrator.
            status.put("allowed", true);
        }
        return handlerContext
                .responseWriter()
                .tree(201, ResponseFormat.negotiate(request, true), review)
                .withWarnings(warnings);
    }
}
