// Command schema writes what the embedded API server knows of Kubernetes' built-in
// types. See README.md for the format and for how to run it.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	if err := write(out); err != nil {
		fmt.Fprintf(os.Stderr, "schema: %v\n", err)
		os.Exit(1)
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintf(os.Stderr, "schema: %v\n", err)
		os.Exit(1)
	}
}

func write(out *bufio.Writer) error {
	fmt.Fprintln(out, "# Written by controlplane/schema from the Go types of k8s.io/api v0.36.4. Do not edit: see the README there.")
	structs := newStructs()
	for _, k := range kinds {
		if err := k.write(out, structs); err != nil {
			return err
		}
	}
	for _, example := range metaKinds {
		name, err := structs.add(typeOf(example))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "meta %s %s\n", typeOf(example).Name(), name)
	}
	return structs.write(out)
}
