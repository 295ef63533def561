// Command controlplane is a whole Kubernetes control plane in one file. It behaves
// as the program its first argument names, so that tests need nothing installed.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"

	_ "time/tzdata"

	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
)

// Each program is built only when it is called: kubectl reads os.Args while it is
// being built, and every program puts its own flags on the command line.
var programs = map[string]func() int{
	"etcd":                    runEtcd,
	"kube-apiserver":          func() int { return cli.Run(apiserver.NewAPIServerCommand()) },
	"kube-scheduler":          func() int { return cli.Run(scheduler.NewSchedulerCommand()) },
	"kube-controller-manager": func() int { return cli.Run(controllermanager.NewControllerManagerCommand()) },
	"kubectl":                 runKubectl,
}

func main() {
	name, args := invocation(os.Args)
	run, known := programs[name]
	if !known {
		fmt.Fprintf(os.Stderr, "controlplane: unknown program %q. Programs: %s\n",
			name, strings.Join(slices.Sorted(maps.Keys(programs)), ", "))
		os.Exit(2)
	}
	os.Args = append([]string{name}, args...)
	os.Exit(run())
}

// invocation finds the program by the name the file was called by, for links such
// as KUBEBUILDER_ASSETS expects, else by the first argument.
func invocation(words []string) (string, []string) {
	name := filepath.Base(words[0])
	if _, known := programs[name]; known {
		return name, words[1:]
	}
	if len(words) < 2 {
		return "", nil
	}
	return words[1], words[2:]
}

func runEtcd() int {
	etcdmain.Main(os.Args)
	return 0
}

// runKubectl differs from the servers in how it speaks of errors: in its own words
// on standard error, with its own exit codes, never as a log line.
func runKubectl() int {
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
		return 1
	}
	return 0
}
