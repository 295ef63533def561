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

// A stillFactory makes informers that watch nothing. They know what they are told, and
// hand it on before tell returns: no goroutine, nothing to wait for, the same every time.
type stillFactory struct {
	informers.SharedInformerFactory
	client kubernetes.Interface
	made   map[reflect.Type]*stillInformer
}

func newStillFactory(client kubernetes.Interface) *stillFactory {
	return &stillFactory{informers.NewSharedInformerFactory(client, 0), client, map[reflect.Type]*stillInformer{}}
}

// tell adds or replaces an object.
func (f *stillFactory) tell(object runtime.Object) error {
	informer, known := f.made[reflect.TypeOf(object)]
	if !known {
		return fmt.Errorf("kube-scheduler does not look at objects such as %T", object)
	}
	return informer.tell(object)
}

// forget removes an object; one that is not known is forgotten already.
func (f *stillFactory) forget(object runtime.Object) error {
	informer, known := f.made[reflect.TypeOf(object)]
	if !known {
		return fmt.Errorf("kube-scheduler does not look at objects such as %T", object)
	}
	return informer.forget(object)
}

func (f *stillFactory) InformerFor(object runtime.Object, make internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	kind := reflect.TypeOf(object)
	if _, known := f.made[kind]; !known {
		f.made[kind] = &stillInformer{SharedIndexInformer: make(f.client, 0)}
	}
	return f.made[kind]
}

// The groups that kube-scheduler reads must come to InformerFor of this factory and not
// of the embedded one.
func (f *stillFactory) Apps() apps.Interface             { return apps.New(f, "", nil) }
func (f *stillFactory) Core() core.Interface             { return core.New(f, "", nil) }
func (f *stillFactory) Policy() policy.Interface         { return policy.New(f, "", nil) }
func (f *stillFactory) Resource() resource.Interface     { return resource.New(f, "", nil) }
func (f *stillFactory) Scheduling() scheduling.Interface { return scheduling.New(f, "", nil) }
func (f *stillFactory) Storage() storage.Interface       { return storage.New(f, "", nil) }

// readAll has objects told that no plugin looks at in the profiles of a trial: it may speak
// of them all the same.
func (f *stillFactory) readAll() {
	f.Core().V1().Namespaces().Informer()
	f.Core().V1().Services().Informer()
	f.Core().V1().ReplicationControllers().Informer()
	f.Apps().V1().ReplicaSets().Informer()
	f.Apps().V1().StatefulSets().Informer()
	f.Policy().V1().PodDisruptionBudgets().Informer()
}

// A stillInformer has the store of an informer that was never started.
type stillInformer struct {
	cache.SharedIndexInformer
	handlers []cache.ResourceEventHandler
}

func (i *stillInformer) tell(object runtime.Object) error {
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

func (i *stillInformer) forget(object runtime.Object) error {
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

func (i *stillInformer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	for _, object := range i.GetStore().List() {
		handler.OnAdd(object, true)
	}
	i.handlers = append(i.handlers, handler)
	return synced{}, nil
}

func (i *stillInformer) AddEventHandlerWithResyncPeriod(handler cache.ResourceEventHandler, _ time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(handler)
}

func (i *stillInformer) AddEventHandlerWithOptions(handler cache.ResourceEventHandler, _ cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(handler)
}

func (i *stillInformer) HasSynced() bool { return true }

func (i *stillInformer) HasSyncedChecker() cache.DoneChecker { return synced{} }

// synced is always so.
type synced struct{}

var done = func() chan struct{} {
	closed := make(chan struct{})
	close(closed)
	return closed
}()

func (synced) HasSynced() bool                     { return true }
func (synced) HasSyncedChecker() cache.DoneChecker { return synced{} }
func (synced) Name() string                        { return "told" }
func (synced) Done() <-chan struct{}               { return done }
