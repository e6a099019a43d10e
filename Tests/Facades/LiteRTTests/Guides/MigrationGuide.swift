// The LiteRT code of docs/guide/tensorflowlite-facade.md, word for word; `GuideTests` of TensorFlowLite compares them.
import LiteRT

/// Adds numbers by a model of two inputs.
func sum(_ left: [Float], _ right: [Float], modelPath: String) throws -> [Float] {
  let environment = try Environment()
  let options = try Options()
  try options.setHardwareAccelerators([.cpu])
  let model = try CompiledModel(filePath: modelPath, environment: environment, options: options)
  let inputs = try model.createInputBuffers()
  let outputs = try model.createOutputBuffers()
  try inputs[0].write(left)
  try inputs[1].write(right)
  try model.run(inputs: inputs, outputs: outputs)
  return try outputs[0].read()
}
