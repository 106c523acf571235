package benchmark

import "context"

func (b *bench) tenants(context.Context) ([]Row, error) { return nil, nil }
