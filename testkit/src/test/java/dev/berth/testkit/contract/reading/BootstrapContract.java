package dev.berth.testkit.contract.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The objects that exist from the start, and what any user may read. */
public abstract class BootstrapContract extends ApiServerContract {

    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String SCHEDULER = RBAC + "clusterroles/system:kube-scheduler";

    @ParameterizedTest
    @CsvSource({
        "clusterroles/cluster-admin",
        "clusterroles/system:auth-delegator",
        "clusterroles/system:discovery",
        "clusterroles/system:kube-scheduler",
        "clusterroles/system:volume-scheduler",
        "clusterrolebindings/cluster-admin",
        "clusterrolebindings/system:kube-scheduler",
        "clusterrolebindings/system:volume-scheduler",
        "namespaces/kube-system/roles/extension-apiserver-authentication-reader",
        "namespaces/kube-system/roles/system::leader-locking-kube-scheduler",
        "namespaces/kube-system/rolebindings/system::leader-locking-kube-scheduler"
    })
    void defaultRolesExist(String path) {
        ApiResponse role = api.get(RBAC + path).expect(200);

        assertThat(role.at("/metadata/labels/kubernetes.io~1bootstrapping")).isEqualTo("rbac-defaults");
        assertThat(role.at("/metadata/annotations/rbac.authorization.kubernetes.io~1autoupdate"))
                .isEqualTo("true");
    }

    @Test
    void theSchedulerRoleAllowsBinding() {
        skipOn("1.32", "the role has fewer rules");
        assertThat(api.get(SCHEDULER).expect(200).json().path("rules"))
                .contains(
                        Manifests.yaml("{verbs: [create], apiGroups: [''], resources: [bindings, pods/binding]}"),
                        Manifests.yaml("{verbs: [patch, update], apiGroups: [''], resources: [pods/status]}"))
                .hasSizeGreaterThan(20);
    }

    @Test
    void theSchedulersRoleCanBeEdited() {
        String rule = "{\"apiGroups\":[\"\"],\"resourceNames\":[\"kube-scheduler\",\"mine\"],"
                + "\"resources\":[\"endpoints\"],\"verbs\":[\"delete\",\"get\",\"patch\",\"update\"]}";
        try {
            api.patch(SCHEDULER, HttpApi.JSON_PATCH, "[{\"op\":\"add\",\"path\":\"/rules/0\",\"value\":" + rule + "}]")
                    .expect(200);

            assertThat(api.get(SCHEDULER).at("/rules/0/resourceNames/1")).isEqualTo("mine");
        } finally {
            api.patch(SCHEDULER, HttpApi.JSON_PATCH, "[{\"op\":\"remove\",\"path\":\"/rules/0\"}]")
                    .expect(200);
        }
    }

    @Test
    void anAdministratorMayDoEverything() {
        ApiResponse review = api.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", Manifests.yaml("""
                                apiVersion: authorization.k8s.io/v1
                                kind: SelfSubjectAccessReview
                                spec: {resourceAttributes: {namespace: default, verb: create, resource: pods}}
                                """))
                .expect(201);

        assertThat(review.at("/kind")).isEqualTo("SelfSubjectAccessReview");
        assertThat(review.at("/spec/resourceAttributes/verb")).isEqualTo("create");
        assertThat(review.json().at("/status/allowed").asBoolean()).isTrue();
    }

    @Test
    void everyUserMayReviewTheirOwnIdentity() {
        ApiResponse review = api.post(
                        "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                        Manifests.yaml("{apiVersion: authentication.k8s.io/v1, kind: SelfSubjectReview}"))
                .expect(201);

        assertThat(review.at("/kind")).isEqualTo("SelfSubjectReview");
        assertThat(review.at("/status/userInfo/username")).isNotEmpty();
        assertThat(review.json().at("/status/userInfo/groups").toString()).contains("\"system:masters\"");
    }
}
