package main

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// openapiFacts are what only the API server's OpenAPI definitions tell: which fields
// must be there, how lists and maps merge, which values an enumeration has.
type openapiFacts map[string]common.OpenAPIDefinition

func readFacts() openapiFacts {
	return openapi.GetOpenAPIDefinitions(func(path string) spec.Ref { return spec.MustCreateRef(path) })
}

func (f openapiFacts) flags(owner, field string) []string {
	schema := f[owner].Schema
	property, known := schema.Properties[field]
	if !known {
		return nil
	}
	var flags []string
	if slices.Contains(schema.Required, field) {
		flags = append(flags, "required")
	}
	for _, extension := range []struct{ flag, key string }{
		{"list", "x-kubernetes-list-type"},
		{"keys", "x-kubernetes-list-map-keys"},
		{"map", "x-kubernetes-map-type"},
	} {
		if value, ok := property.Extensions[extension.key]; ok {
			flags = append(flags, extension.flag+"="+joined(value))
		}
	}
	if values := enumeration(property); len(values) > 0 {
		flags = append(flags, "enum="+joined(values))
	}
	return flags
}

// enumeration gives the values of a property, or of its elements.
func enumeration(property spec.Schema) []any {
	if property.Items != nil && property.Items.Schema != nil {
		return enumeration(*property.Items.Schema)
	}
	if property.AdditionalProperties != nil && property.AdditionalProperties.Schema != nil {
		return enumeration(*property.AdditionalProperties.Schema)
	}
	return property.Enum
}

// wholeOnly says whether writers own values of this struct as a whole, not by field.
func (f openapiFacts) wholeOnly(owner string) bool {
	return f[owner].Schema.Extensions["x-kubernetes-map-type"] == "atomic"
}

func joined(value any) string {
	values, isList := value.([]any)
	if !isList {
		return fmt.Sprint(value)
	}
	words := make([]string, 0, len(values))
	for _, each := range values {
		words = append(words, fmt.Sprint(each))
	}
	return strings.Join(words, ",")
}
