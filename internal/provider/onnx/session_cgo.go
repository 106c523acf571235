//go:build cgo

package onnx

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// starting guards the runtime, of which there is one in a process.
var starting sync.Mutex //nolint:gochecknoglobals // it guards the library's own global state

// Session runs a graph. Safe for concurrent use.
type Session struct {
	session *ort.DynamicAdvancedSession
	inputs  []string
}

// start loads the runtime. The first library that a process loads stays loaded.
func start(library string) error {
	starting.Lock()
	defer starting.Unlock()
	if ort.IsInitialized() {
		return nil
	}
	ort.SetSharedLibraryPath(library)
	// Errors are returned; the runtime need not print them as well.
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return fmt.Errorf("load ONNX Runtime from %s: %w", library, err)
	}
	return nil
}

// Open loads a graph that takes tokens, to compute the first of the named outputs that the
// graph has.
func Open(library, model string, outputs ...string) (*Session, error) {
	if err := start(library); err != nil {
		return nil, err
	}
	inputs, output, err := signature(model, outputs)
	if err != nil {
		return nil, err
	}
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("set up the model: %w", err)
	}
	defer func() { _ = options.Destroy() }()
	// One thread for each batch: several batches run at the same time, and a question is
	// short.
	err = errors.Join(options.SetIntraOpNumThreads(1), options.SetInterOpNumThreads(1), options.SetMemPattern(false))
	if err != nil {
		return nil, fmt.Errorf("set up the model: %w", err)
	}
	session, err := ort.NewDynamicAdvancedSession(model, inputs, []string{output}, options)
	if err != nil {
		return nil, fmt.Errorf("load model.onnx: %w", err)
	}
	return &Session{session: session, inputs: inputs}, nil
}

// signature finds the inputs of the graph and the first of the outputs that it has.
func signature(model string, outputs []string) (inputs []string, output string, err error) {
	in, out, err := ort.GetInputOutputInfo(model)
	if err != nil {
		return nil, "", fmt.Errorf("read model.onnx: %w", err)
	}
	for _, i := range in {
		if !slices.Contains([]string{"input_ids", "attention_mask", "token_type_ids"}, i.Name) || i.DataType != ort.TensorElementDataTypeInt64 {
			return nil, "", fmt.Errorf("model.onnx takes %s, which is no input of the BERT family", i.Name)
		}
		inputs = append(inputs, i.Name)
	}
	for _, name := range outputs {
		for _, o := range out {
			if o.Name == name && o.DataType == ort.TensorElementDataTypeFloat {
				return inputs, name, nil
			}
		}
	}
	return nil, "", fmt.Errorf("model.onnx has none of the outputs %v", outputs)
}

// Close frees the graph. Nothing may be called after it.
func (s *Session) Close() error {
	if err := s.session.Destroy(); err != nil {
		return fmt.Errorf("free the model: %w", err)
	}
	return nil
}

// Run computes b and passes the result to read, which must not keep data. It does not
// interrupt a run that has begun.
func (s *Session) Run(b Batch, read func(data []float32, shape []int64) error) (err error) {
	shape := ort.NewShape(int64(b.Rows), int64(b.Width))
	inputs, outputs := make([]ort.Value, len(s.inputs)), make([]ort.Value, 1)
	defer func() {
		for _, v := range slices.Concat(inputs, outputs) {
			if v != nil {
				err = errors.Join(err, v.Destroy())
			}
		}
	}()
	if b.Kinds == nil {
		b.Kinds = make([]int64, len(b.IDs))
	}
	data := map[string][]int64{"input_ids": b.IDs, "attention_mask": b.Mask, "token_type_ids": b.Kinds}
	for i, name := range s.inputs {
		t, err := ort.NewTensor(shape, data[name])
		if err != nil {
			return fmt.Errorf("hand over the tokens: %w", err)
		}
		inputs[i] = t
	}
	if err := s.session.Run(inputs, outputs); err != nil {
		return fmt.Errorf("run the model: %w", err)
	}
	out, ok := outputs[0].(*ort.Tensor[float32])
	if !ok {
		return errors.New("the model answered no numbers")
	}
	return read(out.GetData(), out.GetShape())
}
