package main

import (
	"fmt"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/apps"
	"k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/informers/policy"
	"k8s.io/client-go/informers/resource"
	"k8s.io/client-go/informers/scheduling"
	"k8s.io/client-go/informers/storage"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// A staticInformerFactory creates informers that watch nothing. They contain the objects of upsert,
// and call their handlers before upsert returns: there is no goroutine and no waiting, and
// the order is always the same.
type staticInformerFactory struct {
	informers.SharedInformerFactory
	client          kubernetes.Interface
	informersByType map[reflect.Type]*staticInformer
}

func newStaticInformerFactory(client kubernetes.Interface) *staticInformerFactory {
	return &staticInformerFactory{informers.NewSharedInformerFactory(client, 0), client, map[reflect.Type]*staticInformer{}}
}

// upsert adds or replaces an object.
func (f *staticInformerFactory) upsert(object runtime.Object) error {
	informer, known := f.informersByType[reflect.TypeOf(object)]
	if !known {
		return fmt.Errorf("kube-scheduler does not read objects of type %T", object)
	}
	return informer.upsert(object)
}

// remove deletes an object. An unknown object is ignored.
func (f *staticInformerFactory) remove(object runtime.Object) error {
	informer, known := f.informersByType[reflect.TypeOf(object)]
	if !known {
		return fmt.Errorf("kube-scheduler does not read objects of type %T", object)
	}
	return informer.remove(object)
}

func (f *staticInformerFactory) InformerFor(object runtime.Object, make internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	kind := reflect.TypeOf(object)
	if _, known := f.informersByType[kind]; !known {
		f.informersByType[kind] = &staticInformer{SharedIndexInformer: make(f.client, 0)}
	}
	return f.informersByType[kind]
}

// The API groups that kube-scheduler reads must use InformerFor of this factory and not of
// the embedded one.
func (f *staticInformerFactory) Apps() apps.Interface             { return apps.New(f, "", nil) }
func (f *staticInformerFactory) Core() core.Interface             { return core.New(f, "", nil) }
func (f *staticInformerFactory) Policy() policy.Interface         { return policy.New(f, "", nil) }
func (f *staticInformerFactory) Resource() resource.Interface     { return resource.New(f, "", nil) }
func (f *staticInformerFactory) Scheduling() scheduling.Interface { return scheduling.New(f, "", nil) }
func (f *staticInformerFactory) Storage() storage.Interface       { return storage.New(f, "", nil) }

// registerAll creates informers for kinds that no plugin of the profiles reads: a trace may
// contain them all the same.
func (f *staticInformerFactory) registerAll() {
	f.Core().V1().Namespaces().Informer()
	f.Core().V1().Services().Informer()
	f.Core().V1().ReplicationControllers().Informer()
	f.Apps().V1().ReplicaSets().Informer()
	f.Apps().V1().StatefulSets().Informer()
	f.Policy().V1().PodDisruptionBudgets().Informer()
}

// A staticInformer has the store of an informer that is never started.
type staticInformer struct {
	cache.SharedIndexInformer
	handlers []cache.ResourceEventHandler
}

func (i *staticInformer) upsert(object runtime.Object) error {
	old, known, err := i.GetStore().Get(object)
	if err != nil {
		return err
	}
	if err := i.GetStore().Add(object); err != nil {
		return err
	}
	for _, handler := range i.handlers {
		if known {
			handler.OnUpdate(old, object)
		} else {
			handler.OnAdd(object, true)
		}
	}
	return nil
}

func (i *staticInformer) remove(object runtime.Object) error {
	old, known, err := i.GetStore().Get(object)
	if err != nil || !known {
		return err
	}
	if err := i.GetStore().Delete(old); err != nil {
		return err
	}
	for _, handler := range i.handlers {
		handler.OnDelete(old)
	}
	return nil
}

func (i *staticInformer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	for _, object := range i.GetStore().List() {
		handler.OnAdd(object, true)
	}
	i.handlers = append(i.handlers, handler)
	return synced{}, nil
}

func (i *staticInformer) AddEventHandlerWithResyncPeriod(handler cache.ResourceEventHandler, _ time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(handler)
}

func (i *staticInformer) AddEventHandlerWithOptions(handler cache.ResourceEventHandler, _ cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(handler)
}

func (i *staticInformer) HasSynced() bool { return true }

func (i *staticInformer) HasSyncedChecker() cache.DoneChecker { return synced{} }

// synced is always synced.
type synced struct{}

var done = func() chan struct{} {
	closed := make(chan struct{})
	close(closed)
	return closed
}()

func (synced) HasSynced() bool                     { return true }
func (synced) HasSyncedChecker() cache.DoneChecker { return synced{} }
func (synced) Name() string                        { return "static" }
func (synced) Done() <-chan struct{}               { return done }
