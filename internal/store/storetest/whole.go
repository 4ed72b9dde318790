package storetest

import (
	"reflect"
	"strings"
	"testing"
)

// RequireWhole fails for every stored field that is empty, so that no document of testdata/stored lacks a new field.
// The fields of a request are compared with the API document instead.
func RequireWhole(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	switch {
	case strings.HasSuffix(v.Type().PkgPath(), "/request"):
	case v.IsZero():
		t.Errorf("%s is empty in testdata/stored", path)
	case v.Kind() == reflect.Pointer:
		RequireWhole(t, path, v.Elem())
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		RequireWhole(t, path, v.Index(0))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Tag.Get("json") != "-" {
				RequireWhole(t, path+"."+field.Name, v.Field(i))
			}
		}
	}
}
