/// The page of a bundle contains several models. The URL selects the one on display.
const bundle = data.models ? data : null;
const modelInAddress = () => {
  const number = Number(new URLSearchParams(location.hash.slice(1)).get("model") ?? 0);
  return bundle && Number.isInteger(number) && number >= 0 && number < bundle.models.length ? number : 0;
};
const modelNumber = modelInAddress();
const model = bundle ? bundle.models[modelNumber] : data;
for (const key of ["graphs", "unsupported", "signatures", "labels"]) model[key] ??= [];
const unsupportedAt = new Map(model.unsupported.map((item) => [item.graph + "." + item.index, item]));
model.graphs.forEach((graph, graphIndex) => {
  for (const key of ["inputs", "outputs", "tensors", "operators", "nodes", "routes"]) graph[key] ??= [];
  graph.title = "Subgraph " + graphIndex + (graph.name ? ": " + graph.name : "");
  for (const tensor of graph.tensors) {
    tensor.name ??= "";
    tensor.shape ??= [];
    tensor.role ??= "computed";
    tensor.readers = [];
    tensor.maker = null;
  }
  graph.operators.forEach((operation, index) => {
    for (const key of ["inputs", "outputs", "options", "callees"]) operation[key] ??= [];
    operation.summary ??= "";
    operation.kernel ??= "";
    operation.problem = unsupportedAt.get(graphIndex + "." + index) ?? null;
    for (const tensor of new Set(operation.inputs)) if (tensor >= 0) graph.tensors[tensor].readers.push(index);
    for (const tensor of operation.outputs) graph.tensors[tensor].maker ??= index;
  });
  for (const tensor of graph.inputs) graph.tensors[tensor].isInput = true;
  for (const tensor of graph.outputs) graph.tensors[tensor].isOutput = true;
});
if (model.arena) for (const key of ["operators", "live", "blocks"]) model.arena[key] ??= [];
for (const block of model.arena?.blocks ?? []) {
  block.tensors ??= [];
  block.names ??= [];
}
/// Maps tensors of the main graph to their blocks of the arena, and operators of the main graph to their steps of a
/// run.
const blockOfTensor = new Map();
(model.arena?.blocks ?? []).forEach((block, index) => block.tensors.forEach((tensor) => blockOfTensor.set(tensor, index)));
const turnOfOperator = new Map();
(model.arena?.operators ?? []).forEach(([graph, index], turn) => { if (graph === 0 && !turnOfOperator.has(index)) turnOfOperator.set(index, turn); });

const shapeText = (shape) => (shape.length === 0 ? "scalar" : shape.join("×"));
const signatureText = (tensor) => (tensor.signature ? tensor.signature.map((size) => (size < 0 ? "?" : size)).join("×") : null);
const roleText = (tensor) =>
  [tensor.isInput && "input", tensor.isOutput && "output", tensor.role !== "computed" && tensor.role].filter(Boolean).join(", ") || "computed";
function quantizationText(tensor) {
  const value = tensor.quantization;
  if (!value) return "";
  if (value.channels === 1) return "scale " + digits(value.scales[1], 4) + ", zero point " + value.zeros[0];
  return value.channels + " channels along axis " + value.axis;
}
/// Returns the range of real values that the quantized type can represent.
function realRange(tensor) {
  const limits = { int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767], int4: [-8, 7], uint4: [0, 15], int2: [-2, 1] }[tensor.type];
  const value = tensor.quantization;
  if (!limits || !value || value.channels !== 1) return null;
  return limits.map((limit) => (limit - value.zeros[0]) * value.scales[1]);
}
const constantBytes = (graph, operation) =>
  [...new Set(operation.inputs)].reduce((sum, tensor) => sum + (tensor >= 0 && graph.tensors[tensor].role === "constant" ? graph.tensors[tensor].bytes ?? 0 : 0), 0);
