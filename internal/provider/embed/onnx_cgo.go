//go:build cgo

package embed

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// starting guards the runtime, of which a process has one.
var starting sync.Mutex //nolint:gochecknoglobals // it guards the library's own global state

// onnx runs a graph of the BERT family by ONNX Runtime.
type onnx struct {
	session *ort.DynamicAdvancedSession
	inputs  []string
}

// start loads the runtime; the first library of a process stays.
func start(library string) error {
	starting.Lock()
	defer starting.Unlock()
	if ort.IsInitialized() {
		return nil
	}
	ort.SetSharedLibraryPath(library)
	// Errors are returned; the runtime need not print them too.
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return fmt.Errorf("load ONNX Runtime from %s: %w", library, err)
	}
	return nil
}

func openRunner(library, model string) (runner, error) {
	if err := start(library); err != nil {
		return nil, err
	}
	inputs, output, err := signature(model)
	if err != nil {
		return nil, err
	}
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("set up the model: %w", err)
	}
	defer func() { _ = options.Destroy() }()
	// One thread a batch: batches run beside each other, and a question is short.
	err = errors.Join(options.SetIntraOpNumThreads(1), options.SetInterOpNumThreads(1), options.SetMemPattern(false))
	if err != nil {
		return nil, fmt.Errorf("set up the model: %w", err)
	}
	session, err := ort.NewDynamicAdvancedSession(model, inputs, []string{output}, options)
	if err != nil {
		return nil, fmt.Errorf("load model.onnx: %w", err)
	}
	return &onnx{session: session, inputs: inputs}, nil
}

// signature finds what the graph takes and which of its outputs holds the vectors.
func signature(model string) (inputs []string, output string, err error) {
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
	for _, name := range []string{"sentence_embedding", "last_hidden_state", "token_embeddings"} {
		for _, o := range out {
			if o.Name == name && o.DataType == ort.TensorElementDataTypeFloat {
				return inputs, name, nil
			}
		}
	}
	return nil, "", errors.New("model.onnx has neither an output sentence_embedding nor last_hidden_state")
}

func (o *onnx) close() error {
	if err := o.session.Destroy(); err != nil {
		return fmt.Errorf("free the model: %w", err)
	}
	return nil
}

func (o *onnx) run(b batch) (vectors [][]float32, err error) {
	shape := ort.NewShape(int64(b.rows), int64(b.width))
	inputs, outputs := make([]ort.Value, len(o.inputs)), make([]ort.Value, 1)
	defer func() {
		for _, v := range slices.Concat(inputs, outputs) {
			if v != nil {
				err = errors.Join(err, v.Destroy())
			}
		}
	}()
	data := map[string][]int64{"input_ids": b.ids, "attention_mask": b.mask, "token_type_ids": make([]int64, len(b.ids))}
	for i, name := range o.inputs {
		t, err := ort.NewTensor(shape, data[name])
		if err != nil {
			return nil, fmt.Errorf("hand over the tokens: %w", err)
		}
		inputs[i] = t
	}
	if err := o.session.Run(inputs, outputs); err != nil {
		return nil, fmt.Errorf("run the model: %w", err)
	}
	out, ok := outputs[0].(*ort.Tensor[float32])
	if !ok {
		return nil, errors.New("the model answered no vectors")
	}
	return pool(out.GetData(), out.GetShape(), b)
}
