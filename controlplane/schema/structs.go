package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"sort"
	"strings"

	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Types that have words of their own in JSON or protobuf, and what the format calls them.
var special = map[reflect.Type]string{
	typeOf(resource.Quantity{}):                          "quantity",
	typeOf(intstr.IntOrString{}):                         "intOrString",
	typeOf(meta.Time{}):                                  "time",
	typeOf(meta.MicroTime{}):                             "microTime",
	typeOf(meta.FieldsV1{}):                              "fields",
	typeOf(runtime.RawExtension{}):                       "rawExtension",
	typeOf(apiextensions.JSON{}):                         "json",
	typeOf(apiextensions.JSONSchemaPropsOrArray{}):       "schemaOrArray",
	typeOf(apiextensions.JSONSchemaPropsOrBool{}):        "schemaOrBool",
	typeOf(apiextensions.JSONSchemaPropsOrStringArray{}): "schemaOrStrings",
	typeOf(meta.Verbs{}):                                 "strings",
	typeOf(authorization.ExtraValue{}):                   "strings",
	typeOf(authentication.ExtraValue{}):                  "strings",
	reflect.TypeFor[[]byte]():                            "bytes",
	reflect.TypeFor[any]():                               "json",
}

var scalars = map[reflect.Kind]string{
	reflect.String:  "string",
	reflect.Bool:    "bool",
	reflect.Int32:   "int32",
	reflect.Int64:   "int64",
	reflect.Float64: "float64",
}

func typeOf(example any) reflect.Type { return reflect.TypeOf(example) }

// structs are all struct types reached so far, by the name OpenAPI has for them.
type structs struct {
	facts  openapiFacts
	types  map[string]reflect.Type
	fields map[string][]string
}

func newStructs() *structs {
	return &structs{facts: readFacts(), types: map[string]reflect.Type{}, fields: map[string][]string{}}
}

func (s *structs) add(t reflect.Type) (string, error) {
	named, ok := reflect.Zero(t).Interface().(interface{ OpenAPIModelName() string })
	if !ok {
		return "", fmt.Errorf("%s has no OpenAPI name", t)
	}
	name := named.OpenAPIModelName()
	if known, seen := s.types[name]; seen {
		if known != t {
			return "", fmt.Errorf("%s and %s are both called %s", known, t, name)
		}
		return name, nil
	}
	s.types[name] = t
	var lines []string
	for i := range t.NumField() {
		field, err := s.field(name, t.Field(i))
		if err != nil {
			return "", fmt.Errorf("%s.%s: %w", t, t.Field(i).Name, err)
		}
		lines = append(lines, field...)
	}
	s.fields[name] = lines
	return name, nil
}

func (s *structs) field(owner string, f reflect.StructField) ([]string, error) {
	if f.Type == typeOf(meta.TypeMeta{}) {
		return []string{"kind 0 string omitempty", "apiVersion 0 string omitempty"}, nil
	}
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return nil, nil
	}
	number, err := protobufNumber(f)
	if err != nil {
		return nil, err
	}
	t := f.Type
	var flags []string
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
		flags = append(flags, "ptr")
	}
	word, err := s.typeWord(t)
	if err != nil {
		return nil, err
	}
	if name == "" {
		if !strings.Contains(options, "inline") || t.Kind() != reflect.Struct || len(flags) > 0 {
			return nil, fmt.Errorf("neither a JSON name nor an inlined struct")
		}
		name = "-"
	}
	flags = append(flags, tagFlags(f, options)...)
	flags = append(flags, s.facts.flags(owner, name)...)
	return []string{strings.Join(append([]string{name, number, word}, flags...), " ")}, nil
}

func protobufNumber(f reflect.StructField) (string, error) {
	tag := f.Tag.Get("protobuf")
	if tag == "" {
		return "0", nil
	}
	parts := strings.Split(tag, ",")
	if len(parts) < 3 {
		return "", fmt.Errorf("protobuf tag %q has no number", tag)
	}
	return parts[1], nil
}

func tagFlags(f reflect.StructField, jsonOptions string) []string {
	var flags []string
	for _, option := range strings.Split(jsonOptions, ",") {
		if option == "omitempty" || option == "omitzero" {
			flags = append(flags, option)
		}
	}
	if strategy := f.Tag.Get("patchStrategy"); strategy != "" {
		flags = append(flags, "patch="+strategy)
	}
	if key := f.Tag.Get("patchMergeKey"); key != "" {
		flags = append(flags, "key="+key)
	}
	return flags
}

func (s *structs) typeWord(t reflect.Type) (string, error) {
	if word, ok := special[t]; ok {
		if t == typeOf(apiextensions.JSONSchemaPropsOrBool{}) {
			if _, err := s.add(typeOf(apiextensions.JSONSchemaProps{})); err != nil {
				return "", err
			}
		}
		return word, nil
	}
	if t.Implements(reflect.TypeFor[json.Marshaler]()) {
		return "", fmt.Errorf("%s writes its own JSON and has no word in the format", t)
	}
	if word, ok := scalars[t.Kind()]; ok {
		return word, nil
	}
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes", nil
		}
		element, err := s.typeWord(t.Elem())
		return "[]" + element, err
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return "", fmt.Errorf("keys of %s are no strings", t)
		}
		value, err := s.typeWord(t.Elem())
		return "map:" + value, err
	case reflect.Struct:
		return s.add(t)
	default:
		return "", fmt.Errorf("%s has no word in the format", t)
	}
}

func (s *structs) write(out io.Writer) error {
	names := make([]string, 0, len(s.fields))
	for name := range s.fields {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		flag := ""
		if s.facts.wholeOnly(name) {
			flag = " atomic"
		}
		fmt.Fprintf(out, "struct %s%s\n", name, flag)
		for _, line := range s.fields[name] {
			if _, err := fmt.Fprintf(out, " %s\n", line); err != nil {
				return err
			}
		}
	}
	return nil
}
