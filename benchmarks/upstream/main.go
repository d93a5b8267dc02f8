// Command upstream fills a cluster with Kubernetes' own DRA allocator, as `python -m benchmarks.fill` does with
// dravite's: the same workload files, the same report. Pods come one after another and take the first node that can
// have them; a fresh allocator over a copy of the allocated state serves each of them, as in a scheduling cycle.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

type workload struct {
	Name      string                               `json:"name"`
	Nodes     []*core.Node                         `json:"nodes"`
	Classes   []*resource.DeviceClass              `json:"classes"`
	Slices    []*resource.ResourceSlice            `json:"slices"`
	Allocated []*resource.ResourceClaim            `json:"allocated"`
	Templates map[string][]*resource.ResourceClaim `json:"templates"`
	Pods      []string                             `json:"pods"`
}

type report struct {
	Scenario string  `json:"scenario"`
	Variant  string  `json:"variant"`
	Scan     string  `json:"scan"`
	Nodes    int     `json:"nodes"`
	Pods     int     `json:"pods"`
	Placed   int     `json:"placed"`
	Feasible int     `json:"feasible"`
	Unplaced int     `json:"unplaced"`
	Errors   int     `json:"errors"`
	Seconds  float64 `json:"seconds"`
	CPU      float64 `json:"cpuSeconds"`
	Rate     float64 `json:"podsPerCPUSecond"`
	Digest   string  `json:"digest"`
}

// classes looks device classes up by name.
type classes map[string]*resource.DeviceClass

func (c classes) List() ([]*resource.DeviceClass, error) {
	var all []*resource.DeviceClass
	for _, class := range c {
		all = append(all, class)
	}
	return all, nil
}

func (c classes) Get(name string) (*resource.DeviceClass, error) {
	if class, ok := c[name]; ok {
		return class, nil
	}
	return nil, fmt.Errorf("no device class %q", name)
}

// books is what is allocated so far.
type books struct{ structured.AllocatedState }

func (b *books) enter(result *resource.AllocationResult) {
	for _, one := range result.Devices.Results {
		if one.AdminAccess != nil && *one.AdminAccess {
			continue
		}
		device := structured.MakeDeviceID(one.Driver, one.Pool, one.Device)
		if one.ShareID == nil {
			b.AllocatedDevices.Insert(device)
			continue
		}
		b.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(device, one.ShareID))
		if len(one.ConsumedCapacity) > 0 {
			b.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(device, one.ConsumedCapacity))
		}
	}
}

func (b *books) copied() structured.AllocatedState {
	return structured.AllocatedState{
		AllocatedDevices:         b.AllocatedDevices.Clone(),
		AllocatedSharedDeviceIDs: b.AllocatedSharedDeviceIDs.Clone(),
		AggregatedCapacity:       b.AggregatedCapacity.Clone(),
	}
}

func main() {
	file := flag.String("scenario", "", "workload file")
	scan := flag.String("scan", "first", "first: as far as the first node that fits; all: every node")
	most := flag.Int("max-pods", 0, "0 means all")
	workers := flag.Int("workers", 1, "nodes asked at a time")
	flag.Bool("json", true, "one line of JSON, which is all there is")
	flag.Parse()
	found, err := run(*file, *scan, *most, *workers)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file, scan string, most, workers int) (*report, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var given workload
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, err
	}
	pods := given.Pods
	if most > 0 && most < len(pods) {
		pods = pods[:most]
	}
	// What is on by default in 1.37.
	features := structured.Features{
		AdminAccess: true, ConsumableCapacity: true, DeviceBindingAndStatus: true, DeviceTaints: true,
		PartitionableDevices: true, PrioritizedList: true,
	}
	known := classes{}
	for _, class := range given.Classes {
		known[class.Name] = class
	}
	taken := &books{structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}}
	for _, claim := range given.Allocated {
		taken.enter(claim.Status.Allocation)
	}
	cache := cel.NewCache(10, cel.Features{EnableConsumableCapacity: true}) // kube-scheduler keeps as many
	out := &report{Scenario: given.Name, Variant: "upstream", Scan: scan, Nodes: len(given.Nodes)}
	digest := fnv.New64a()
	runtime.GC()
	before, start := cpuSeconds(), time.Now()
	for _, name := range pods {
		allocator, err := structured.NewAllocator(context.Background(), features, taken.copied(), known, given.Slices, cache)
		if err != nil {
			return nil, err
		}
		out.Pods++
		node, results, feasible, err := place(allocator, given.Nodes, given.Templates[name], scan, workers)
		switch {
		case err != nil:
			out.Errors++
		case node == nil:
			out.Unplaced++
		default:
			out.Placed++
			out.Feasible += feasible
			digest.Write([]byte(node.Name))
			for i := range results {
				taken.enter(&results[i])
				for _, one := range results[i].Devices.Results {
					digest.Write([]byte(one.Device))
				}
			}
		}
	}
	out.Seconds, out.CPU = time.Since(start).Seconds(), cpuSeconds()-before
	out.Rate = float64(out.Pods) / out.CPU
	out.Digest = fmt.Sprintf("%016x", digest.Sum64())
	return out, nil
}

// found is what asking the nodes came to: the first node that fits, by position, and how many do.
type found struct {
	sync.Mutex
	position int
	results  []resource.AllocationResult
	err      error
	feasible int
}

// place asks the nodes, several at a time. Positions are given out in order, so whatever ends the search early, no
// node before the one that is taken is left out.
func place(allocator structured.Allocator, nodes []*core.Node, claims []*resource.ResourceClaim, scan string, workers int) (
	*core.Node, []resource.AllocationResult, int, error,
) {
	best := &found{position: len(nodes)}
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				position := int(next.Add(1)) - 1
				if position >= len(nodes) || best.isFinal(position, scan) {
					return
				}
				best.ask(allocator, nodes, claims, position)
			}
		}()
	}
	group.Wait()
	if best.err != nil || best.position == len(nodes) {
		return nil, nil, 0, best.err
	}
	if scan == "first" {
		best.feasible = 1
	}
	return nodes[best.position], best.results, best.feasible, nil
}

func (f *found) isFinal(position int, scan string) bool {
	f.Lock()
	defer f.Unlock()
	return position > f.position && (scan == "first" || f.err != nil)
}

func (f *found) ask(allocator structured.Allocator, nodes []*core.Node, claims []*resource.ResourceClaim, position int) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	results, err := allocator.Allocate(ctx, nodes[position], claims)
	if errors.Is(err, structured.ErrFailedAllocationOnNode) || (err == nil && results == nil) {
		return
	}
	f.Lock()
	defer f.Unlock()
	f.feasible++
	if position < f.position {
		f.position, f.results, f.err = position, results, err
	}
}

func cpuSeconds() float64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}
