package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	batch "k8s.io/api/batch/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	events "k8s.io/api/events/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

const allVerbs = "create,delete,deletecollection,get,list,patch,update,watch"

// kind is one line of the table of kinds; the list may be missing.
type kind struct {
	groupVersion string
	plural       string
	object, list any
	flags        []string
	subs         []sub
}

// sub is a subresource; an empty kind is that of the resource itself.
type sub struct{ name, groupVersion, kind, verbs string }

var (
	status = sub{name: "status", verbs: "get,patch,update"}
	scale  = sub{"scale", "autoscaling/v1", "Scale", "get,patch,update"}
)

// Kinds that exist in every group and version, and those of discovery.
var metaKinds = []any{
	meta.Status{}, meta.DeleteOptions{}, meta.CreateOptions{}, meta.UpdateOptions{}, meta.PatchOptions{},
	meta.WatchEvent{}, meta.Table{}, meta.PartialObjectMetadata{}, meta.PartialObjectMetadataList{},
	meta.APIVersions{}, meta.APIGroup{}, meta.APIGroupList{}, meta.APIResourceList{},
}

var kinds = []kind{
	of("v1", "bindings", core.Binding{}, nil).namespaced().verbs("create"),
	of("v1", "configmaps", core.ConfigMap{}, core.ConfigMapList{}).namespaced().served().short("cm"),
	of("v1", "events", core.Event{}, core.EventList{}).namespaced().served().short("ev"),
	of("v1", "namespaces", core.Namespace{}, core.NamespaceList{}).served().short("ns").
		verbs("create,delete,get,list,patch,update,watch").with(sub{name: "finalize", verbs: "update"}, status),
	of("v1", "nodes", core.Node{}, core.NodeList{}).served().short("no").with(status),
	of("v1", "persistentvolumeclaims", core.PersistentVolumeClaim{}, core.PersistentVolumeClaimList{}).
		namespaced().served().short("pvc").with(status),
	of("v1", "persistentvolumes", core.PersistentVolume{}, core.PersistentVolumeList{}).served().short("pv").with(status),
	of("v1", "pods", core.Pod{}, core.PodList{}).namespaced().served().short("po").categories("all").with(
		sub{"binding", "v1", "Binding", "create"},
		sub{"eviction", "policy/v1", "Eviction", "create"},
		sub{name: "log", verbs: "get"},
		sub{name: "resize", verbs: "get,patch,update"},
		status),
	of("v1", "replicationcontrollers", core.ReplicationController{}, core.ReplicationControllerList{}).
		namespaced().served().short("rc").categories("all").with(scale, status),
	of("v1", "secrets", core.Secret{}, core.SecretList{}).namespaced().served(),
	of("v1", "serviceaccounts", core.ServiceAccount{}, core.ServiceAccountList{}).namespaced().served().short("sa"),
	of("v1", "services", core.Service{}, core.ServiceList{}).namespaced().served().short("svc").categories("all").with(status),
	of("apps/v1", "controllerrevisions", apps.ControllerRevision{}, apps.ControllerRevisionList{}).namespaced().served(),
	of("apps/v1", "daemonsets", apps.DaemonSet{}, apps.DaemonSetList{}).namespaced().served().short("ds").categories("all").with(status),
	of("apps/v1", "deployments", apps.Deployment{}, apps.DeploymentList{}).
		namespaced().served().short("deploy").categories("all").with(scale, status),
	of("apps/v1", "replicasets", apps.ReplicaSet{}, apps.ReplicaSetList{}).
		namespaced().served().short("rs").categories("all").with(scale, status),
	of("apps/v1", "statefulsets", apps.StatefulSet{}, apps.StatefulSetList{}).
		namespaced().served().short("sts").categories("all").with(scale, status),
	of("batch/v1", "jobs", batch.Job{}, batch.JobList{}).namespaced().served().categories("all").with(status),
	of("policy/v1", "poddisruptionbudgets", policy.PodDisruptionBudget{}, policy.PodDisruptionBudgetList{}).
		namespaced().served().short("pdb").with(status),
	of("policy/v1", "-", policy.Eviction{}, nil).namespaced().verbs(""),
	of("autoscaling/v1", "-", autoscaling.Scale{}, nil).namespaced().verbs(""),
	of("coordination.k8s.io/v1", "leases", coordination.Lease{}, coordination.LeaseList{}).namespaced().served(),
	of("events.k8s.io/v1", "events", events.Event{}, events.EventList{}).namespaced().served().short("ev"),
	of("scheduling.k8s.io/v1", "priorityclasses", scheduling.PriorityClass{}, scheduling.PriorityClassList{}).served().short("pc"),
	of("storage.k8s.io/v1", "csidrivers", storage.CSIDriver{}, storage.CSIDriverList{}).served(),
	of("storage.k8s.io/v1", "csinodes", storage.CSINode{}, storage.CSINodeList{}).served(),
	of("storage.k8s.io/v1", "csistoragecapacities", storage.CSIStorageCapacity{}, storage.CSIStorageCapacityList{}).namespaced().served(),
	of("storage.k8s.io/v1", "storageclasses", storage.StorageClass{}, storage.StorageClassList{}).served().short("sc"),
	of("storage.k8s.io/v1", "volumeattachments", storage.VolumeAttachment{}, storage.VolumeAttachmentList{}).served().with(status),
	of("rbac.authorization.k8s.io/v1", "clusterrolebindings", rbac.ClusterRoleBinding{}, rbac.ClusterRoleBindingList{}).served(),
	of("rbac.authorization.k8s.io/v1", "clusterroles", rbac.ClusterRole{}, rbac.ClusterRoleList{}).served(),
	of("rbac.authorization.k8s.io/v1", "rolebindings", rbac.RoleBinding{}, rbac.RoleBindingList{}).namespaced().served(),
	of("rbac.authorization.k8s.io/v1", "roles", rbac.Role{}, rbac.RoleList{}).namespaced().served(),
	of("admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations",
		admissionregistration.MutatingWebhookConfiguration{}, admissionregistration.MutatingWebhookConfigurationList{}).
		served().categories("api-extensions"),
	of("admissionregistration.k8s.io/v1", "validatingadmissionpolicies",
		admissionregistration.ValidatingAdmissionPolicy{}, admissionregistration.ValidatingAdmissionPolicyList{}).
		served().categories("api-extensions").with(status),
	of("admissionregistration.k8s.io/v1", "validatingadmissionpolicybindings",
		admissionregistration.ValidatingAdmissionPolicyBinding{}, admissionregistration.ValidatingAdmissionPolicyBindingList{}).
		served().categories("api-extensions"),
	of("admissionregistration.k8s.io/v1", "validatingwebhookconfigurations",
		admissionregistration.ValidatingWebhookConfiguration{}, admissionregistration.ValidatingWebhookConfigurationList{}).
		served().categories("api-extensions"),
	of("apiextensions.k8s.io/v1", "customresourcedefinitions",
		apiextensions.CustomResourceDefinition{}, apiextensions.CustomResourceDefinitionList{}).
		served().short("crd,crds").categories("api-extensions").with(status),
	of("apiregistration.k8s.io/v1", "apiservices", apiregistration.APIService{}, apiregistration.APIServiceList{}).
		served().categories("api-extensions").with(status),
	of("authentication.k8s.io/v1", "selfsubjectreviews", authentication.SelfSubjectReview{}, nil).verbs("create"),
	of("authorization.k8s.io/v1", "selfsubjectaccessreviews", authorization.SelfSubjectAccessReview{}, nil).verbs("create"),
}

func of(groupVersion, plural string, object, list any) kind {
	return kind{groupVersion: groupVersion, plural: plural, object: object, list: list}
}

func (k kind) flag(flag string) kind {
	k.flags = append(k.flags, flag)
	return k
}

func (k kind) namespaced() kind             { return k.flag("namespaced") }
func (k kind) served() kind                 { return k.flag("served") }
func (k kind) short(names string) kind      { return k.flag("short=" + names) }
func (k kind) categories(names string) kind { return k.flag("categories=" + names) }
func (k kind) verbs(names string) kind      { return k.flag("verbs=" + names) }
func (k kind) with(subs ...sub) kind        { k.subs = subs; return k }
func (k kind) hasFlag(prefix string) bool {
	for _, flag := range k.flags {
		if strings.HasPrefix(flag, prefix) {
			return true
		}
	}
	return false
}

func (k kind) write(out io.Writer, structs *structs) error {
	name, err := structs.add(typeOf(k.object))
	if err != nil {
		return err
	}
	list := "-"
	if k.list != nil {
		if list, err = structs.add(reflect.TypeOf(k.list)); err != nil {
			return err
		}
	}
	own := typeOf(k.object).Name()
	if !k.hasFlag("verbs=") {
		k = k.verbs(allVerbs)
	}
	words := append([]string{"kind", k.groupVersion, own, k.plural, strings.ToLower(own), name, list}, k.flags...)
	fmt.Fprintln(out, strings.Join(words, " "))
	for _, s := range k.subs {
		if s.kind == "" {
			s.groupVersion, s.kind = k.groupVersion, own
		}
		fmt.Fprintf(out, " sub %s %s %s %s\n", s.name, s.groupVersion, s.kind, s.verbs)
	}
	return nil
}
