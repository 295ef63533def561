package dev.berth.core.door.devices;

/**
 * The texts of kube-extended-resource, letter by letter: operators and controllers match on them in the statuses of claims
 * and in the messages of pods. Do not correct their grammar.
 */
final class OriginalMessages {
    static final String TOO_FEW = "extended resources that can be allocated on this node are less than pod needs";
    static final String UNAVAILABLE = "there are unavailable extended resources in extended resource claim";
    static final String NOT_TOGETHER = "node can allocate extended resource are not satisfy pod needs";
    static final String CLAIM_WAITING = "extended resource have been satisfied and waiting to bound";
    static final String CLAIM_BOUND = "ExtendedResourceClaim has already bound to ExtendedResource";

    private OriginalMessages() {}

    static String notForClaim(String claim) {
        return "extended resource that can be allocated are not satisfy [%s] needs".formatted(claim);
    }

    static String deviceNotFound(String device) {
        return "ExtendedResource %s not found in cluster.".formatted(device);
    }
}
