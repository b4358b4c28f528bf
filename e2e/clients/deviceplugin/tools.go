//go:build tools

package main

// The Kubernetes project's sample device plugin is built from this module too: this line pins what it needs.
import _ "k8s.io/kubernetes/test/images/sample-device-plugin"
