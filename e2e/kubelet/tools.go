//go:build tools

// Package tools says what is built with this module, for Go to know its dependencies.
package tools

import (
	_ "k8s.io/kubernetes/cmd/kubelet"
)
