// Command controlplane is a whole Kubernetes control plane in one file. It behaves
// as the program its first argument names, so that tests need nothing installed.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubectl "k8s.io/kubectl/pkg/cmd"

	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
)

var programs = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kube-controller-manager": controllermanager.NewControllerManagerCommand,
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
}

func main() {
	name, args := invocation(os.Args)
	os.Args = append([]string{name}, args...)
	if name == "etcd" {
		etcdmain.Main(os.Args)
		return
	}
	program, known := programs[name]
	if !known {
		fmt.Fprintf(os.Stderr, "controlplane: %q is none of its programs; "+
			"use etcd, kube-apiserver, kube-scheduler, kube-controller-manager or kubectl\n", name)
		os.Exit(2)
	}
	os.Exit(cli.Run(program()))
}

// invocation finds the program by the name the file was called by, for links such
// as KUBEBUILDER_ASSETS expects, else by the first argument.
func invocation(words []string) (string, []string) {
	name := filepath.Base(words[0])
	if _, known := programs[name]; known || name == "etcd" {
		return name, words[1:]
	}
	if len(words) < 2 {
		return "", nil
	}
	return words[1], words[2:]
}
