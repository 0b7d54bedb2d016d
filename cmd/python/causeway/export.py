"""Writes the graph of a PyTorch model as a file that workload.file reads.

    from causeway.export import export
    export(model, (x,), "model.torch.json")

With torch.export (2.1 and newer) the graph is that of torch.export.export, else of make_fx.
training=True adds the pass back of the sum of the squares of the outputs. Weights themselves are not written.
"""

import json
import math
import operator

import torch


def _graph(model, args, training):
    if hasattr(torch, "export") and not training:
        program = torch.export.export(model, args)
        sig = program.graph_signature
        kinds = {s.arg.name: "input" if s.kind.name == "USER_INPUT" else "parameter" for s in sig.input_specs}
        names = {s.arg.name: s.target for s in sig.input_specs if s.target}
        return program.graph, kinds, names
    from torch.fx.experimental.proxy_tensor import make_fx

    try:
        from torch.func import functional_call as call
    except ImportError:
        from torch.nn.utils.stateless import functional_call as call
    held = {**dict(model.named_parameters()), **dict(model.named_buffers())}

    def run(held, *args):
        out = call(model, held, args)
        if not training:
            return out
        loss = sum((o * o).sum() for o in (out if isinstance(out, (tuple, list)) else (out,)))
        return loss, torch.autograd.grad(loss, [p for p in held.values() if p.requires_grad])

    graph = make_fx(run)(held, *args).graph
    places = [n.name for n in graph.nodes if n.op == "placeholder"]
    names = dict(zip(places, held))
    return graph, {n: "parameter" if n in names else "input" for n in places}, names


def _shape(value):
    if value is None:
        return None
    if isinstance(value, (tuple, list)) and not hasattr(value, "shape"):
        return [_shape(v) for v in value]
    return {"shape": list(value.shape), "dtype": str(value.dtype).replace("torch.", "")}


def _arg(a):
    if isinstance(a, torch.fx.Node):
        return {"value": a.name}
    if isinstance(a, (tuple, list)):
        return [_arg(x) for x in a]
    if isinstance(a, float) and not math.isfinite(a):
        return str(a)
    return a if isinstance(a, (int, float, bool, str)) or a is None else str(a)


def export(model, args, path, training=False):
    graph, kinds, names = _graph(model, args, training)
    nodes = []
    for n in graph.nodes:
        value = n.meta.get("val", n.meta.get("tensor_meta"))
        entry = {"name": n.name, "op": n.op if n.op != "call_function" else str(n.target)}
        if n.target is operator.getitem:
            entry["op"] = "getitem"
        if n.op == "placeholder":
            entry.update(kind=kinds.get(n.name, "input"), source=names.get(n.name, n.name))
        elif n.op == "get_attr":
            t = getattr(graph.owning_module, n.target)
            entry.update(op="constant", out=_shape(t), data=None if t.is_meta or t.numel() > 16 else t.flatten().tolist())
        else:
            entry.update(args=[_arg(a) for a in n.args], kwargs={k: _arg(v) for k, v in n.kwargs.items()})
        if value is not None:
            entry["out"] = _shape(value)
        nodes.append(entry)
    with open(path, "w") as f:
        lines = ",\n".join(json.dumps(n) for n in nodes)
        f.write('{"format": "causeway.torch/1", "torch": "%s", "nodes": [\n%s\n]}\n' % (torch.__version__, lines))
